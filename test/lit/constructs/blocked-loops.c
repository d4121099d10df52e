// Loops cut into blocks.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 30, B = 8 };
static double a[N][N], b[N][N], p[N][N];

static int lesser(int x, int y) { return x < y ? x : y; }

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = rand() % 10, b[i][j] = rand() % 10;
  for (int ii = 0; ii < N; ii += B)
    for (int jj = 0; jj < N; jj += B)
      for (int i = ii; i < lesser(ii + B, N); i++)
        for (int j = jj; j < lesser(jj + B, N); j++) {
          double s = 0;
          for (int k = 0; k < N; k++)
            s += a[i][k] * b[k][j];
          p[i][j] = s;
        }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf("%g\n", p[i][j]);
  return 0;
}
