// OpenMP `parallel for`, `collapse`, `simd`, `reduction`, `private`, `lastprivate`.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -fopenmp | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}3 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 24, M = 18 };

int main(void) {
  static double a[N][M], b[N][M], s, t;
  int last = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = rand() % 100;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      b[i][j] = a[i][j] * a[i][j];
  int half;
#pragma omp parallel for private(half) lastprivate(last) schedule(static)
  for (int i = 0; i < N; i++) {
    half = i / 2;
#pragma omp simd
    for (int j = 0; j < M; j++)
      b[i][j] += half;
    last = 3 * i;
  }
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      sum += b[i][j];
  s = sum;
  t = last;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      printf("%g\n", b[i][j]);
  printf("%g %g\n", s, t);
  return 0;
}
