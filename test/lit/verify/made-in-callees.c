// Globals that a function allocates and fills: their device memory begins there, not in front of the call, where their pointers
// lead nowhere yet; the region's condition is tested earlier.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 4 | FileCheck %s
// CHECK: verify: passed
// CHECK: 6 kernels
// CHECK: 0 survived
#include <stdio.h>
#include <stdlib.h>

static double *u, *v;
static int n = 600;

static void make(void) {
  u = malloc(n * sizeof *u);
  v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++) {
    u[i] = i * 0.01;
    v[i] = 1 - i * 0.02;
  }
}

static void step(double *to, double *from) {
  for (int i = 1; i < n - 1; i++)
    to[i] = 0.4 * from[i - 1] + 0.3 * from[i + 1] + 0.1 * to[i];
}

int main(int argc, char **argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 3;
  make();
  for (int t = 0; t < steps; t++)
    step(u, v);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += u[i] * (i + 1) - v[i] * i * 0.5;
  printf("%.6f %.6f\n", sum, v[9]);
  return 0;
}
