// Inline functions of a header.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>
#include "Inputs/mix.h"

enum { N = 45 };

int main(void) {
  static double a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = rand() % 100;
  for (int i = 0; i < N; i++)
    b[i] = mix(a[i], a[N - 1 - i], 0.25);
  scale(b, N, 3);
  for (int i = 0; i < N; i++)
    printf("%g\n", b[i]);
  return 0;
}
