#!/bin/sh
# Intel ISA-L 2.30.0 (Debian 12, libisal-dev and libisal2 2.30.0-5).
#
# Guess, before it was run: crc32_ieee(0, "123456789") is zlib's CRC-32, cbf43926, the IEEE 802.3 checksum.
# Seen: it is fc891918, which shifts bits the other way; zlib's is crc32_gzip_refl(). crc32_iscsi() with 0 is 58e3fa20:
# the standard's e3069283 takes the start 0xffffffff, and an inversion of the result.
#
# What it means: compare a checksum with the test value of its standard before files depend on it.
set -eu

command -v cc >/dev/null || { echo "needs a C compiler" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download libisal-dev=2.30.0-5 libisal2=2.30.0-5 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
libraries=$(dirname "$(find "$PWD/root" -name libisal.so.2)")
cat >program.c <<'PROGRAM'
#include <isa-l.h>
#include <stdio.h>
int main(void) {
  unsigned char text[] = "123456789";
  printf("crc32_ieee %08x, crc32_gzip_refl %08x, crc32_iscsi %08x, inverted %08x\n", crc32_ieee(0, text, 9),
         crc32_gzip_refl(0, text, 9), crc32_iscsi(text, 9, 0), ~crc32_iscsi(text, 9, 0xffffffff));
}
PROGRAM
cc -Iroot/usr/include program.c -L"$libraries" -lisal -o program
LD_LIBRARY_PATH=$libraries ./program | tee seen
python3 -c 'import zlib; print("zlib.crc32", f"{zlib.crc32(bytes(range(49, 58))):08x}")'
echo "crc32_ieee fc891918, crc32_gzip_refl cbf43926, crc32_iscsi 58e3fa20, inverted e3069283" | diff - seen
