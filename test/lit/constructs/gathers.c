// Gather and scatter; with a range given by a hint.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}3 kernels;
// CHECK: Mutants: 8 caught, 2 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 40, M = 90 };

int main(void) {
  static double x[M], y[N], z[M];
  static int col[N], place[N];
  for (int i = 0; i < M; i++)
    x[i] = rand() % 100, z[i] = i;
  for (int i = 0; i < N; i++)
    col[i] = rand() % (M / 2), place[i] = 2 * i + rand() % 2;
  for (int i = 0; i < N; i++)
    y[i] = x[col[i]] * 2;
  // busfare: range(col: 0, 44)
  for (int i = 0; i < N; i++)
    y[i] += x[col[i] + 1];
  // busfare: independent
  for (int i = 0; i < N; i++)
    z[place[i]] = y[i];
  for (int i = 0; i < M; i++)
    printf("%g\n", z[i]);
  return 0;
}
