// Minimum, maximum and `?:` in bounds and subscripts.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
enum { N = 40, R = 3 };

int main(void) {
  static double a[N], b[N], d[N];
  for (int i = 0; i < N; i++)
    a[i] = rand() % 100;
  for (int i = 0; i < N; i++) {
    double s = 0;
    for (int k = MAX(0, i - R); k <= MIN(N - 1, i + R); k++)
      s += a[k];
    b[i] = s;
  }
  for (int i = 0; i < N; i++) {
    int west = i == 0 ? i : i - 1, east = i == N - 1 ? i : i + 1;
    d[i] = b[west] + b[east];
  }
  for (int i = 0; i < N; i++)
    printf("%g\n", d[i]);
  return 0;
}
