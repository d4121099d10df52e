// `for` up, down, in steps, with `!=` and `<=`, the index declared outside.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}4 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 60 };

int main(void) {
  static double a[N + 1], b[N + 1], d[N + 1];
  int i;
  for (i = 0; i <= N; ++i)
    a[i] = rand() % 100;
  for (i = N; i >= 0; i--)
    b[i] = 2 * a[i];
  for (i = 1; i < N; i += 3)
    b[i] += a[i - 1] + a[i + 1];
  for (int k = N; k > 4; k -= 5)
    b[k] -= a[k - 4];
  for (int k = 0; k != N; k++)
    d[k] = b[k + 1] / 4;
  d[N] = i; /* what the index is behind its loop */
  for (i = 0; i <= N; i++)
    printf("%g\n", d[i]);
  return 0;
}
