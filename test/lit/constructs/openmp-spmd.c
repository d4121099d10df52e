// OpenMP `parallel` with `for nowait`, `single` and `barrier` inside.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -fopenmp | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}3 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 80 };

int main(void) {
  static int a[N], b[N], d[N];
  int rounds = 0;
  for (int i = 0; i < N; i++)
    a[i] = rand() % 100;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      b[i] = 3 * a[i];
#pragma omp for
    for (int i = 0; i < N; i++)
      d[i] = a[i] + i;
#pragma omp single
    rounds++;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++)
      d[i] += b[N - 1 - i] * rounds;
  }
  for (int i = 0; i < N; i++)
    printf("%d\n", d[i]);
  return 0;
}
