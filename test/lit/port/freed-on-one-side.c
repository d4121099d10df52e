// A branch that allocates on either side lets memory of the array go on one: device memory that begins behind it would have
// ended in it. So the array's kernels stay on the host.
// RUN: %busfare port --kernels all %s -o %t.c 2> %t.err
// RUN: %FileCheck %s --check-prefix=SAID < %t.err
// RUN: %FileCheck %s --check-prefix=PORT < %t.c
// SAID: h.u has no name where the region
// PORT-NOT: {{^}}#pragma omp target exit data map(delete: busfare_g_u
// PORT: {{^}}#pragma omp target enter data map(alloc: w[0:1000])
// PORT-NOT: {{^}}#pragma omp target enter data map(alloc: busfare_h_u
#include <stdio.h>
#include <stdlib.h>

struct grid { int n; double *u; };

__attribute__((noinline)) static void twice(struct grid *g) {
  g->u = malloc(100 * sizeof(double));
  for (int i = 0; i < 100; i++) g->u[i] = i;
  free(g->u);
  g->u = malloc(100 * sizeof(double));
  for (int i = 0; i < 100; i++) g->u[i] = 3 * i;
}

__attribute__((noinline)) static void once(struct grid *g) {
  g->u = malloc(100 * sizeof(double));
  for (int i = 0; i < 100; i++) g->u[i] = i;
}

int main(int argc, char **argv) {
  struct grid h;
  double *w = malloc(1000 * sizeof(double));
  for (int i = 0; i < 1000; i++) w[i] = i * 0.25;
  if (argc > 2) twice(&h);
  else once(&h);
  for (int i = 0; i < 100; i++) h.u[i] = h.u[i] * 0.5;
  double sum = 0;
  for (int i = 0; i < 100; i++) sum += h.u[i];
  for (int i = 0; i < 1000; i++) sum += w[i];
  printf("%g\n", sum);
}
