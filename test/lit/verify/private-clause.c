// x is private by the program's own clause: what it holds behind the loop is what it held before, not the last iteration's.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress -- -fopenmp | FileCheck %s
// RUN: %busfare port %s -- -fopenmp | grep -v '//' | %FileCheck %s --check-prefix=PORT
// PORT: parallel for {{.*}}private(x)
// CHECK: verify: passed
#include <stdio.h>
int main(void) {
  double a[100], x = 3;
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp parallel for private(x)
  for (int i = 0; i < 100; i++) {
    x = 2 * a[i];
    a[i] = x + 1;
  }
  printf("%g %g\n", a[7], x);
}
