#!/bin/sh
# simdjson 3.0.1 (Debian 12, libsimdjson-dev and libsimdjson14 3.0.1-1): its DOM and its On-Demand reader.
#
# Guess, before it was run: both readers give the same double for the same valid number.
# Seen: 18446744073709551616 (2^64), written without a point, is 1.8e19 for get_double() of On-Demand, and makes the DOM
# reject the whole document. -0 is -0 for On-Demand and 0 for the DOM, which reads an integer first.
#
# What it means: a file with one large whole number is readable or not by the reader chosen; write
# 1.8446744073709552e19.
set -eu

command -v c++ >/dev/null || { echo "needs a C++ compiler" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download libsimdjson-dev=3.0.1-1 libsimdjson14=3.0.1-1 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
libraries=$(dirname "$(find "$PWD/root" -name libsimdjson.so.14)")
cat >program.cc <<'PROGRAM'
#include <iostream>
#include <simdjson.h>
int main() {
  for (const std::string number : {"18446744073709551616", "1.8446744073709552e19", "-0", "-0.0"}) {
    const simdjson::padded_string text("[" + number + "]");
    simdjson::dom::parser dom;
    simdjson::ondemand::parser on_demand;
    double value = 0;
    const auto dom_error = dom.parse(text).at(0).get_double().get(value);
    std::cout << number << " DOM ";
    if (dom_error) std::cout << "error"; else std::cout << value;
    auto document = on_demand.iterate(text);
    const auto error = document.at(0).get_double().get(value);
    std::cout << ", On-Demand ";
    if (error) std::cout << "error\n"; else std::cout << value << '\n';
  }
}
PROGRAM
c++ -std=c++20 -Iroot/usr/include program.cc -L"$libraries" -lsimdjson -o program
LD_LIBRARY_PATH=$libraries ./program | tee seen
cat >expected <<'EXPECTED'
18446744073709551616 DOM error, On-Demand 1.84467e+19
1.8446744073709552e19 DOM 1.84467e+19, On-Demand 1.84467e+19
-0 DOM 0, On-Demand -0
-0.0 DOM -0, On-Demand -0
EXPECTED
diff expected seen
