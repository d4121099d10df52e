// OpenMP `sections` and `task`, which stay on the host beside a kernel.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -fopenmp | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 10 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 70 };

int main(void) {
  static int a[N], b[N];
  int low = 0, high = 0;
  for (int i = 0; i < N; i++)
    a[i] = rand() % 100;
  for (int i = 0; i < N; i++)
    b[i] = a[i] * a[i];
#pragma omp parallel sections
  {
#pragma omp section
    for (int i = 0; i < N / 2; i++)
      low = (low * 3 + b[i]) % 1009;
#pragma omp section
    for (int i = N / 2; i < N; i++)
      high = (high * 3 + b[i]) % 1009;
  }
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(b)
    b[0] += low;
#pragma omp task shared(b)
    b[1] += high;
  }
  for (int i = 0; i < N; i++)
    b[i] = b[i] + 1;
  for (int i = 0; i < N; i++)
    printf("%d\n", b[i]);
  return 0;
}
