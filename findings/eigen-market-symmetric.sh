#!/bin/sh
# Eigen 3.4.0 (Debian 12, libeigen3-dev 3.4.0-4), unsupported/Eigen/SparseExtra, loadMarket().
#
# Guess, before it was run: a symmetric Matrix Market file gives the whole matrix.
# Guess, noted after the first run: a file of type pattern gives ones.
# Seen: loadMarket() returns true, and the matrix has the half that the file stores; the other half is 0. Entries of a
# pattern file are no ones: their values are never set. SciPy's mmread() gives the whole matrix, and ones.
#
# What it means: apply selfadjointView<Lower>() to a symmetric file, and set the values of a pattern by hand.
set -eu

command -v c++ >/dev/null || { echo "needs a C++ compiler" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download libeigen3-dev=3.4.0-4 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 5\n2 2 2\n' >symmetric.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2\n' >pattern.mtx
cat >program.cc <<'PROGRAM'
#include <iostream>
#include <unsupported/Eigen/SparseExtra>
int main() {
  Eigen::SparseMatrix<double> symmetric, pattern;
  std::cout << "loaded " << Eigen::loadMarket(symmetric, "symmetric.mtx") << Eigen::loadMarket(pattern, "pattern.mtx")
            << "; the entries 2,1 and 1,2 are " << symmetric.coeff(1, 0) << " and " << symmetric.coeff(0, 1)
            << "; the pattern has " << pattern.nonZeros() << " entries, and is "
            << (pattern.coeff(0, 0) == 1 ? "1" : "not 1") << '\n';
}
PROGRAM
c++ -std=c++17 -Iroot/usr/include/eigen3 program.cc -o program
./program | tee seen
echo "loaded 11; the entries 2,1 and 1,2 are 5 and 0; the pattern has 2 entries, and is not 1" | diff - seen
