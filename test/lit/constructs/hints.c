// Hints: `independent`, `noalias`, as comment and as pragma.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -Wno-unknown-pragmas | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

static void shift(int n, double *a, double *b, const int *to) {
  // busfare: noalias(a, b)
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 1;
#pragma busfare independent
  for (int i = 0; i < n; i++)
    b[to[i]] = a[i];
}

int main(void) {
  int n = 36;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  int *to = malloc(n * sizeof *to);
  for (int i = 0; i < n; i++)
    b[i] = rand() % 100, to[i] = (i * 5 + 1) % n;
  shift(n, a, b, to);
  for (int i = 0; i < n; i++)
    printf("%g\n", b[i]);
  return 0;
}
