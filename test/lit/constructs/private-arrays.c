// Temporaries: scalars, arrays of one iteration, arrays of the whole region.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 30, M = 6 };

int main(void) {
  static double a[N][M], b[N], middle[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = rand() % 100;
  double window[M], last;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < M; j++)
      window[j] = a[i][M - 1 - j] * 2;
    last = window[0];
    for (int j = 1; j < M; j++)
      last = last * 0.5 + window[j];
    middle[i] = last;
  }
  for (int i = 0; i < N; i++)
    b[i] = middle[i] - middle[N - 1 - i];
  for (int i = 0; i < N; i++)
    printf("%.9g\n", b[i]);
  return 0;
}
