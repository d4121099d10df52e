// A time loop with a swap, through a function: data stays on the device, pointers are what they are called there.
// RUN: %busfare port %s -o %t.c 2>&1 | count 0
// RUN: sed -e '/\/\/ /d' -e :a -e '/\\$/N' -e 's/\\\n *//' -e ta %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original -lm && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.c -o %t.clang
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.clang | cmp - %t.want
//
// Present: nothing is mapped by the way, and no variable gets its clause by default.
// RUN: %busfare port --variant present %s -o %t.present.c
// RUN: sed -e '/\/\/ /d' -e :a -e '/\\$/N' -e 's/\\\n *//' -e ta %t.present.c | %FileCheck %s --check-prefix=PRESENT
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.present.c -o %t.present
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.present | cmp - %t.want
// REQUIRES: gcc, offload
#include <stdio.h>
#include <stdlib.h>

#define N 40

// CHECK: static void sweep(const double *from, double *to, int n) {
// CHECK: {{^}}#pragma omp target teams distribute parallel for collapse(2){{.*}}map(alloc: from[0:1600]
// CHECK-NEXT: for (int i = 1;
// PRESENT: {{^}}#pragma omp target teams distribute parallel for collapse(2){{.*}}defaultmap(none){{.*}}map(present, alloc: from[0:1600]
static void sweep(const double *from, double *to, int n) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      to[i * n + j] = 0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] + from[i * n + j - 1] + from[i * n + j + 1]);
}

// CHECK: int main(void) {
int main(void) {
  double *u = malloc(N * N * sizeof *u), *v = malloc(N * N * sizeof *v);
  unsigned seed = 1;
  for (int i = 0; i < N * N; i++) {
    seed = seed * 1664525u + 1013904223u; // a recurrence: the host does it
    u[i] = v[i] = (seed >> 16) * 0.125;
  }
  // Before the time loop the arrays come in, within it nothing crosses, behind it `u` is what it then names.
  // CHECK: {{^}}#pragma omp target enter data{{.*}}u[0:1600]
  // CHECK: {{^}}#pragma omp target update to(u[0:1600])
  // CHECK: for (int t = 0; t < 6; t++) {
  // CHECK-NOT: target
  // CHECK: v = swap;
  for (int t = 0; t < 6; t++) {
    sweep(u, v, N);
    double *swap = u;
    u = v;
    v = swap;
  }
  // CHECK: {{from|memcpy}}
  // CHECK: {{^}}#pragma omp target exit data
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf("%.17g\n", u[i * N + j]);
  free(u);
  free(v);
  return 0;
}
