// Words that are NaN in every run are compared like others.
// RUN: %busfare verify --mutants %s -- -O1 | %FileCheck %s
// CHECK: verify: passed
// CHECK-NOT: vary from run
// CHECK: Mutants: {{[1-9]}}
#include <math.h>
#include <stdio.h>
#define N 100
static double a[N], b[N];
int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = i;
  for (int i = 0; i < N; i++)
    b[i] = (i < 50 ? 0.0 : 1.0) / (i < 50 ? 0.0 : 2.0) + a[i];
  for (int i = 0; i < N; i++)
    printf("%g %g\n", a[i], b[i]);
}
