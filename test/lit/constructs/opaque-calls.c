// Calls whose body is not seen, between kernels.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 8 caught, 2 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };

static int order(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }

int main(void) {
  static int a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = rand() % 1000;
  for (int i = 0; i < N; i++)
    b[i] = a[i] * 7 % 101;
  qsort(b, N, sizeof *b, order);
  for (int i = 0; i < N; i++)
    a[i] += b[i];
  for (int i = 0; i < N; i++)
    printf("%d\n", a[i]);
  return 0;
}
