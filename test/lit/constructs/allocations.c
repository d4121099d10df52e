// `malloc`, `calloc`, `realloc`; memory that callers allocate and callees fill.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 25 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 8 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

static double *made(int n) {
  double *fresh = malloc(n * sizeof *fresh);
  for (int i = 0; i < n; i++)
    fresh[i] = i * 0.5;
  return fresh;
}

static void add(double *to, const double *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] += from[i];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 30;
  double *a = made(n), *b = calloc(n, sizeof *b), *grown = malloc(n * sizeof *grown);
  for (int i = 0; i < n; i++)
    grown[i] = rand() % 100;
  grown = realloc(grown, 2 * n * sizeof *grown);
  for (int i = n; i < 2 * n; i++)
    grown[i] = rand() % 100;
  add(b, a, n);
  add(b, grown + n, n);
  for (int i = 0; i < n; i++)
    printf("%g %g\n", a[i], b[i]);
  free(a);
  free(b);
  free(grown);
  return 0;
}
