// An update of what a field leads to names the field; only what maps memory needs a variable for it.
// RUN: %busfare port --kernels all %s -o %t.c
// RUN: sed -e '/\/\/ /d' %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.c -o %t.clang
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.clang | cmp - %t.want
// RUN: %busfare verify --mutants %s -- -O1 | %FileCheck --check-prefix=VERIFY %s
// REQUIRES: gcc, offload
#include <stdio.h>
#include <stdlib.h>
// VERIFY: verify: passed

struct grid {
  int n;
  double *u, *v;
};

// CHECK: static void smooth(
// CHECK-NEXT: {{^}}#pragma omp target update to(g->u[0:300])
// CHECK-NEXT: for (int t
// CHECK-NEXT: double *const busfare_g_v = g->v;
// CHECK-NEXT: double *const busfare_g_u = g->u;
// CHECK-NEXT: const int busfare_end_i = g->n - 1;
// CHECK: {{^}}#pragma omp target update from(g->u[1:298])
// CHECK-NEXT: }
static void smooth(struct grid *g, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < g->n - 1; i++)
      g->v[i] = 0.5 * (g->u[i - 1] + g->u[i + 1]);
    for (int i = 1; i < g->n - 1; i++)
      g->u[i] = g->v[i];
  }
}

int main(void) {
  struct grid g = {300, malloc(300 * sizeof(double)), malloc(300 * sizeof(double))};
  int seed = 1;
  for (int i = 0; i < g.n; i++) {
    seed = (seed * 211 + 7) % 1009;
    g.u[i] = seed;
  }
  smooth(&g, 5);
  for (int i = 1; i < g.n - 1; i++)
    printf("%g ", g.u[i]);
  free(g.u);
  free(g.v);
  return 0;
}
