// With --plan streams the kernel's loop runs in chunks, tasks that depend on each other; where a chunk's part of an array
// ends follows from what its iterations touch.
// RUN: %busfare port %s --plan streams:3 --kernels all --function smooth --function copy --function down --function turned --function sum -o %t.c 2>&1 | %FileCheck %s --check-prefix=WHY
// RUN: sed -e '/\/\/ /d' -e :a -e '/\\$/N' -e 's/\\\n *//' -e ta %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp -foffload=disable %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.c -o %t.clang
// RUN: sh -c 'for k in 1 2 3 4 5; do env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.clang | cmp - %t.want || exit 1; done'
// RUN: %busfare port %s --plan streams:3 --kernels all --function smooth --format json --quiet | %FileCheck %s --check-prefix=JSON
// JSON: "streams": [
// JSON: "chunks": 3
// JSON: "root": "smooth"
//
// Without the option copies are explicit, as ever; with --plan planned they are where no overlap is faster.
// RUN: %busfare port %s --kernels all --function smooth 2>&1 | sed -e '/\/\/ /d' | %FileCheck %s --check-prefix=EXPLICIT
// RUN: %busfare port %s --plan explicit --kernels all --function smooth 2>&1 | sed -e '/\/\/ /d' | %FileCheck %s --check-prefix=EXPLICIT
// RUN: %busfare port %s --plan planned --kernels all --function smooth --param n=100 2>&1 | sed -e '/\/\/ /d' | %FileCheck %s --check-prefix=EXPLICIT
// EXPLICIT-NOT: busfare_chunk
// EXPLICIT: target update to(a[0:n])
// EXPLICIT-NOT: busfare_chunk
// The plan for many elements is streams, as many as it says.
// RUN: %busfare port %s --plan planned --kernels all --function heavy --param n=20000000 | sed -e '/\/\/ /d' | %FileCheck %s --check-prefix=PLANNED
// PLANNED: enum { busfare_chunks = {{[0-9]+}} };
// REQUIRES: gcc, offload
#include <stdio.h>
#include <stdlib.h>

// A chunk needs one element behind its own, and one in front, which the chunk before has brought.
// CHECK: void smooth(
// CHECK: {{^}}#pragma omp target enter data map(alloc: a[0:n]) map(alloc: b[1:n - 2]) if(busfare_runs)
// CHECK: enum { busfare_chunks = 3 };
// CHECK: for (long busfare_chunk = 1; busfare_chunk <= busfare_count; busfare_chunk++) {
// CHECK: const long busfare_end_in_a = busfare_chunk < busfare_count ? busfare_to + 2 : n;
// CHECK-NEXT: {{^}}#pragma omp target update to(a[busfare_next_in_a:busfare_end_in_a - busfare_next_in_a]) depend(in: busfare_in[busfare_chunk - 1]) depend(out: busfare_in[busfare_chunk]) nowait if(busfare_runs)
// CHECK-NEXT: busfare_next_in_a = busfare_end_in_a;
// CHECK-NEXT: {{^}}#pragma omp target teams distribute parallel for map(alloc: a[0:n], b[1:n - 2]) if(busfare_runs) depend(in: busfare_in[busfare_chunk]) depend(out: busfare_done[busfare_chunk]) nowait
// CHECK-NEXT: for (int i = busfare_first; i <= busfare_last; i++)
// CHECK: const long busfare_end_out_b = busfare_chunk < busfare_count ? busfare_to + 1 : n - 1;
// CHECK-NEXT: {{^}}#pragma omp target update from(b[busfare_next_out_b:busfare_end_out_b - busfare_next_out_b]) depend(in: busfare_done[busfare_chunk]) nowait if(busfare_runs)
// CHECK: {{^}}#pragma omp taskwait
// CHECK: {{^}}#pragma omp target exit data
static void smooth(int n, const double *restrict a, double *restrict b) {
  for (int i = 1; i < n - 1; i++)
    b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

// No chunk needs what another one has: copies do not wait for each other.
// CHECK: void copy(
// CHECK: {{^}}#pragma omp target update to(a[busfare_next_in_a:busfare_end_in_a - busfare_next_in_a]) depend(out: busfare_in[busfare_chunk]) nowait
// CHECK: depend(in: busfare_in[busfare_chunk]) depend(out: busfare_done[busfare_chunk]) nowait
static void copy(int n, int m, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i * m + j] = 2 * a[i * m + j];
}

// Down, in steps: chunks go by the lesser index.
// CHECK: void down(
// CHECK: for (long i = busfare_last; i >= busfare_first; i -= 2) {
static void down(long n, const double *restrict a, double *restrict b) {
  for (long i = n - 2; i >= 0; i -= 2) {
    b[i] = a[i];
    b[i + 1] = a[i + 1] - a[i];
  }
}

// Read from its other end: the first chunk's piece is all of it, and those behind are empty.
// CHECK: void turned(
// CHECK: const long busfare_end_in_a = busfare_chunk < busfare_count ? n : n;
static void turned(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    b[i] = a[n - 1 - i];
}

// All chunks would add to one number.
// WHY: chunks.c:[[@LINE+6]]:3: remark: its copies are explicit, not in chunks of the kernel: a number comes back from it, to which all of its chunks would add [BF
// WHY-NOT: remark
// CHECK: void sum(
// CHECK-NOT: busfare_chunk
static void sum(int n, const double *restrict a, double *restrict b) {
  double all = 0;
  for (int i = 0; i < n; i++)
    all += a[i];
  b[0] = all;
}

void heavy(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    double x = a[i];
    for (int k = 0; k < 60; k++)
      x = x * 0.5 + a[i];
    b[i] = x;
  }
}

int main(int argc, char **argv) {
  const int n = 20 + argc - 1;
  (void)argv;
  double *a = calloc(2 * n, sizeof *a), *b = calloc(2 * n, sizeof *b);
  unsigned seed = 1;
  for (int i = 0; i < 2 * n; i++) {
    seed = seed * 1664525u + 1013904223u;
    a[i] = seed >> 16;
  }
  void (*const one[])(int, const double *restrict, double *restrict) = {smooth, turned, sum};
  for (int k = 0; k < 3; k++) {
    one[k](n, a, b);
    for (int i = 0; i < n; i++)
      printf("%.17g\n", b[i]);
  }
  copy(n, 2, a, b);
  for (int i = 0; i < 2 * n; i++)
    printf("%.17g\n", b[i]);
  down(n, a, b);
  for (int i = 0; i < n; i++)
    printf("%.17g\n", b[i]);
  free(a);
  free(b);
}
