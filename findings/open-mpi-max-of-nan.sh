#!/bin/sh
# Open MPI 4.1.4 (Debian 12, libopenmpi3 4.1.4-3+b1), on a processor with AVX.
#
# Guess, before it was run: MPI_MAX of the same values is the same at every position of the array: NaN always, or never.
# Seen: nine equal doubles on each of three processes, NaN on the first: the maximum is 3 at positions 0 to 7, which AVX
# instructions reduce, and NaN at position 8, which is left to plain C. NaN on another process gives a third answer.
# `mpirun --mca op ^avx` makes positions agree.
#
# What it means: a NaN that was to show that training diverged is lost on the way; count NaN apart, as integers.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed libopenmpi3:amd64 4.1.4-3+b1
installed libopenmpi-dev:amd64 4.1.4-3+b1
installed openmpi-bin 4.1.4-3+b1
grep -qw avx /proc/cpuinfo || { echo "needs a processor with AVX" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >program.c <<'PROGRAM'
#include <math.h>
#include <mpi.h>
#include <stdio.h>
enum { values = 9 };
int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank, processes;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  for (int bad = 0; bad < processes; ++bad) {
    double own[values], largest[values];
    for (int i = 0; i < values; ++i) own[i] = rank == bad ? NAN : rank + 1;
    MPI_Allreduce(own, largest, values, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank != 0) continue;
    printf("NaN on process %d: MPI_MAX is %g at position 0, %g at position 8\n", bad, largest[0], largest[8]);
  }
  MPI_Finalize();
}
PROGRAM
mpicc.openmpi program.c -o program
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun.openmpi --oversubscribe -n 3 ./program | tee seen
# At least one line has NaN at one position, and a number at the other.
grep -Eq 'is nan at position 0, [0-9]|is [0-9]+ at position 0, nan' seen || { echo "positions agree now" >&2; exit 1; }
