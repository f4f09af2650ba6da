#!/bin/sh
# MPICH 4.0.2 (Debian 12, libmpich12 4.0.2-3+b1).
#
# Guess, before it was run: MPI_Allreduce with MPI_MAX returns the same value on all processes, NaN or not.
# Seen: of 1, 2, 3 and 4, one of them replaced by NaN, the processes receive different maxima: with NaN on the last,
# NaN, 3, 2 and 3. MPI_MAXLOC returns different values and processes as well. Each of 1000 sums of finite numbers by
# MPI_SUM has the same bits on the four processes.
#
# What it means: "stop when the largest loss is small" ends on some processes and not on others, which then wait for
# ever; reduce whether a value is NaN first, as an integer, or decide on one process and broadcast.
set -eu

command -v cc >/dev/null || { echo "needs a C compiler" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download mpich=4.0.2-3+b1 libmpich12=4.0.2-3+b1 libmpich-dev=4.0.2-3+b1 libhwloc15=2.9.0-1 \
  libslurm38=22.05.8-4+deb12u3 libucx0=1.13.1-1 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name libmpich.so.12)")
cat >program.c <<'PROGRAM'
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
static void print(const char* name, double value) {
  double all[4];
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Gather(&value, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("; %s on the processes: %g %g %g %g", name, all[0], all[1], all[2], all[3]);
}
int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int bad = 0; bad < 4; ++bad) {
    double own = rank == bad ? NAN : rank + 1, largest;
    struct {
      double value;
      int process;
    } mine = {own, rank}, found;
    MPI_Allreduce(&own, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &found, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (rank == 0) printf("NaN on process %d", bad);
    print("MPI_MAX", largest);
    print("MPI_MAXLOC", found.value);
    print("its process", found.process);
    if (rank == 0) puts("");
  }
  int different = 0;
  for (int k = 0; k < 1000; ++k) {
    double own = sin(4 * k + rank) * pow(10, (7 * k + 5 * rank) % 12), sum, all[4];
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gather(&sum, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < 4; ++i) different += memcmp(&all[0], &all[i], sizeof sum) != 0;
  }
  if (rank == 0) printf("sums with other bits than on process 0: %d\n", different);
  MPI_Finalize();
}
PROGRAM
cc -I"$(dirname "$(find "$PWD/root" -name mpi.h | head -1)")" program.c -L"$LD_LIBRARY_PATH" -lmpich -lm \
  -Wl,-rpath-link,"$LD_LIBRARY_PATH" -o program || exit 2
export LD_LIBRARY_PATH
if ldd program | grep 'not found' >&2; then exit 2; fi
root/usr/bin/mpiexec.hydra -n 4 ./program | tee seen
grep -q 'process 3; MPI_MAX on the processes: nan 3 2 3;' seen ||
  { echo "the processes receive other maxima now" >&2; exit 1; }
grep -q 'process 3; .*MPI_MAXLOC on the processes: 3 2 3 nan; its process on the processes: 2 1 2 3$' seen ||
  { echo "MPI_MAXLOC returns other values now" >&2; exit 1; }
grep -q 'other bits than on process 0: 0$' seen || { echo "sums differ in bits now" >&2; exit 1; }
