#!/bin/sh
# fast_float 3.9.0 (Debian 12, libfast-float-dev 3.9.0-1), from_chars() against std::from_chars of libstdc++ 12.
#
# Guess, before it was run: as the standard has it, 1e400 and 1e-400 are std::errc::result_out_of_range.
# Seen: fast_float returns infinity and 0 without an error; std::from_chars reports both, and leaves the value alone.
#
# What it means: a reader on fast_float lets an infinite feature in, from a file that has none; test the value itself.
set -eu

command -v c++ >/dev/null || { echo "needs a C++ compiler" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download libfast-float-dev=3.9.0-1 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >program.cc <<'PROGRAM'
#include <charconv>
#include <fast_float/fast_float.h>
#include <iostream>
#include <string>
int main() {
  for (const std::string text : {"1e400", "1e-400", "1e300"}) {
    double fast = -1, standard = -1;
    const auto a = fast_float::from_chars(text.data(), text.data() + text.size(), fast);
    const auto b = std::from_chars(text.data(), text.data() + text.size(), standard);
    std::cout << text << " fast_float " << fast << (a.ec == std::errc() ? "" : " error") << ", std " << standard
              << (b.ec == std::errc() ? "" : " error") << '\n';
  }
}
PROGRAM
c++ -std=c++17 -Iroot/usr/include program.cc -o program
./program | tee seen
cat >expected <<'EXPECTED'
1e400 fast_float inf, std -1 error
1e-400 fast_float 0, std -1 error
1e300 fast_float 1e+300, std 1e+300
EXPECTED
diff expected seen
