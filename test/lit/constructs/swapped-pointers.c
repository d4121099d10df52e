// Pointers swapped in the time loop.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 7 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}7 kernels;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = 40, steps = argc > 1 ? atoi(argv[1]) : 5;
  double *now = malloc(n * sizeof *now), *next = malloc(n * sizeof *next);
  for (int i = 0; i < n; i++)
    now[i] = next[i] = rand() % 100;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = (now[i - 1] + now[i] + now[i + 1]) / 3;
    double *old = now;
    now = next;
    next = old;
  }
  for (int i = 0; i < n; i++)
    printf("%.9g\n", now[i]);
  free(now);
  free(next);
  return 0;
}
