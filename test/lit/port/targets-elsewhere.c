// A target construct in a file that is a part of main cannot be taken out: then the others stay as well.
// RUN: %busfare port --kernels all %s -- -fopenmp 2>&1 | %FileCheck %s
// CHECK: not ported: a target construct of main's own cannot be taken out of the text
// CHECK: #pragma omp target data map(tofrom: a[0:n]) map(to: b[0:n])
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 100;
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    b[i] = i;
#pragma omp target data map(tofrom: a[0:n]) map(to: b[0:n])
  {
#include "Inputs/with_target.h"
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  printf("%g\n", sum);
}
