// Memory that a branch allocates on either side, here or in what it calls: device memory begins behind the branch, and what
// the branch itself computes of it stays on the host.
// REQUIRES: watch, gcc
// RUN: %busfare verify --no-progress --kernels all --mutants %s --args "30" | %FileCheck %s
// RUN: %busfare verify --no-progress --kernels all --mutants %s --args "30 more" | %FileCheck %s
// CHECK: verify: passed
// CHECK: h.u {{ *}}main {{ *}}h2d
// CHECK-NOT: DIFFER
// CHECK: 0 survived
// CHECK-DAG: made-on-either-side.c:22:{{.*}} h.u
// CHECK-DAG: made-on-either-side.c:31:{{.*}} h.u
// CHECK-NOT: has no name
#include <stdio.h>
#include <stdlib.h>

struct grid { int n; double *u; };

__attribute__((noinline)) static void fill(struct grid *g, int n) {
  g->n = n;
  g->u = malloc(n * sizeof(double));
  if (!g->u) exit(1);
  for (int i = 0; i < n; i++)
    g->u[i] = 2 * i;
}

int main(int argc, char **argv) {
  struct grid h;
  if (argc > 2) {
    h.n = 50;
    h.u = malloc(h.n * sizeof(double));
    for (int i = 0; i < h.n; i++)
      h.u[i] = i;
  } else {
    fill(&h, atoi(argv[1]));
  }
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < h.n; i++)
      h.u[i] += 1;
  double sum = 0;
  for (int i = 0; i < h.n; i++)
    sum += h.u[i];
  printf("%g\n", sum);
}
