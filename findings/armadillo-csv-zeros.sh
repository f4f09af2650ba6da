#!/bin/sh
# Armadillo 11.4.2 (Debian 12, libarmadillo-dev 1:11.4.2+dfsg-1), mat::load(file, csv_ascii).
#
# Guess, before it was run: a missing value becomes NaN, and a text or a short row makes load() return false.
# Seen: load() returns true, and the matrix has 0: for an empty field, for NA, for a text, for a quoted number, for the
# names of the columns, which become a row, and for what a short row lacks. Only the text NaN becomes NaN.
#
# What it means: programs on Armadillo learn from zeros where data were missing; check the file before, for example with
# `halfspace check`, and remove the line of names.
set -eu

command -v c++ >/dev/null || { echo "needs a C++ compiler" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download libarmadillo-dev=1:11.4.2+dfsg-1 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >program.cc <<'PROGRAM'
#define ARMA_DONT_USE_WRAPPER
#define ARMA_DONT_USE_BLAS
#define ARMA_DONT_USE_LAPACK
#include <armadillo>
int main() {
  for (const std::string text : {"1,\n3,4\n", "1,NA\n3,NaN\n", "1,text\n3,4\n", "1,\"2\"\n3,4\n", "a,b\n1,2\n",
                                 "1,2\n3\n"}) {
    std::ofstream("data.csv") << text;
    arma::mat values;
    const bool loaded = values.load("data.csv", arma::csv_ascii);
    std::cout << loaded;
    for (arma::uword i = 0; i < values.n_rows; ++i)
      for (arma::uword j = 0; j < values.n_cols; ++j) std::cout << ' ' << values(i, j);
    std::cout << '\n';
  }
}
PROGRAM
c++ -std=c++17 -Iroot/usr/include program.cc -o program
./program | tee seen
cat >expected <<'EXPECTED'
1 1 0 3 4
1 1 0 3 nan
1 1 0 3 4
1 1 0 3 4
1 0 0 1 2
1 1 2 3 0
EXPECTED
diff expected seen
