// Calls of the mathematical library.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -lm | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };

int main(void) {
  static double a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = 1 + rand() % 100;
  for (int i = 0; i < N; i++)
    b[i] = sqrt(a[i]) + fabs(sin(a[i])) * exp(-a[i] / 50) + pow(a[i], 0.25) + fmax(a[i], 40);
  for (int i = 0; i < N; i++)
    printf("%.9g\n", b[i]);
  return 0;
}
