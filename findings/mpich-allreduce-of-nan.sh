#!/bin/sh
# MPICH 4.0.2 (Debian 12, libmpich12 4.0.2-3+b1).
#
# Guess, before it was run: MPI_Allreduce with MPI_MAX returns the same value on all processes, NaN or not.
# Seen: of 1, 2, 3 and 4, one of them replaced by NaN, the processes receive different maxima: with NaN on the last,
# NaN, 3, 2 and 3. MPI_MAXLOC differs as well. MPI_SUM has the same bits everywhere.
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
    double own = rank == bad ? NAN : rank + 1, largest, sum;
    double number = rank + 0.1;
    MPI_Allreduce(&own, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("NaN on process %d", bad);
    print("MPI_MAX", largest);
    print("a sum", sum);
    if (rank == 0) puts("");
  }
  MPI_Finalize();
}
PROGRAM
cc -I"$(dirname "$(find "$PWD/root" -name mpi.h | head -1)")" program.c -L"$LD_LIBRARY_PATH" -lmpich \
  -Wl,-rpath-link,"$LD_LIBRARY_PATH" -o program || exit 2
export LD_LIBRARY_PATH
if ldd program | grep 'not found' >&2; then exit 2; fi
root/usr/bin/mpiexec.hydra -n 4 ./program | tee seen
grep -q 'process 3; MPI_MAX on the processes: nan 3 2 3;' seen ||
  { echo "the processes receive other maxima now" >&2; exit 1; }
