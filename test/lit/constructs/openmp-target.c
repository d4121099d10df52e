// The program's own OpenMP `target` constructs.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -fopenmp | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 100 };

int main(void) {
  double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
  for (int i = 0; i < N; i++)
    a[i] = rand() % 100;
#pragma omp target data map(to : a[0 : N]) map(from : b[0 : N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      b[i] = a[i] + 1;
#pragma omp target
#pragma omp parallel for simd
    for (int i = 1; i < N; i++)
      b[i] *= a[i - 1];
#pragma omp target update from(b[0 : N])
  }
  for (int i = 0; i < N; i++)
    printf("%g\n", b[i]);
  free(a);
  free(b);
  return 0;
}
