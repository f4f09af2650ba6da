#!/bin/sh
# JSON for Modern C++ 3.11.2 (Debian 12, nlohmann-json3-dev 3.11.2-2), operator==.
#
# Guess, noted after the first run: values are equal where the numbers are: 18446744073709551615 is not -1, and
# 9007199254740993 is not 9007199254740992.0.
# Seen: both pairs are equal, and 18446744073709551615 is less than 0. An unsigned number is compared as a signed one,
# and an integer as a double.
#
# What it means: do not compare or sort parsed identifiers, hashes and seeds of 64 bits as json; get<std::uint64_t>()
# first.
set -eu

command -v c++ >/dev/null || { echo "needs a C++ compiler" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download nlohmann-json3-dev=3.11.2-2 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >program.cc <<'PROGRAM'
#include <iostream>
#include <nlohmann/json.hpp>
int main() {
  const auto value = [](const char* text) { return nlohmann::json::parse(text); };
  std::cout << "2^64 - 1 == -1: " << (value("18446744073709551615") == value("-1")) << '\n'
            << "2^64 - 1 < 0: " << (value("18446744073709551615") < nlohmann::json(0)) << '\n'
            << "2^53 + 1 == 2^53 as a double: " << (value("9007199254740993") == value("9007199254740992.0")) << '\n'
            << "written back: " << value("[18446744073709551615,-1,9007199254740993]") << '\n';
}
PROGRAM
c++ -std=c++17 -Iroot/usr/include program.cc -o program
./program | tee seen
grep -q '== -1: 1' seen && grep -q '< 0: 1' seen && grep -q 'double: 1' seen ||
  { echo "numbers compare now" >&2; exit 1; }
