// Inner bounds that depend on the outer index.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 8 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 18 };
static double a[N][N], b[N][N], v[N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = rand() % 100, b[i][j] = rand() % 10;
  for (int i = 0; i < N; i++)
    for (int j = i; j < N; j++)
      b[i][j] = a[j][i];
  for (int i = 1; i < N; i++) {
    v[i] = 0;
    for (int j = 0; j < i; j++)
      v[i] += b[i][j] * a[i][j];
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf("%g\n", b[i][j] + v[i]);
  return 0;
}
