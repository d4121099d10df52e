// Complex numbers.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };

int main(void) {
  static double complex a[N], b[N];
  static double size[N];
  for (int i = 0; i < N; i++)
    a[i] = rand() % 10 + i * I;
  for (int i = 0; i < N; i++) {
    b[i] = a[i] * a[N - 1 - i] + 2.0;
    size[i] = creal(b[i]) * creal(b[i]) + cimag(b[i]) * cimag(b[i]);
  }
  for (int i = 0; i < N; i++)
    printf("%g %g %g\n", creal(b[i]), cimag(b[i]), size[i]);
  return 0;
}
