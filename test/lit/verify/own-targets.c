// The program's own target constructs go, around what is ported and around what stays on the host: there is one plan.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress --mutants -- -fopenmp | FileCheck %s
// RUN: %busfare port %s -- -fopenmp 2>/dev/null | sed 1,/stdlib/d | FileCheck %s --check-prefix=PORT --implicit-check-not=tofrom --implicit-check-not=nowait
// CHECK: verify: passed
// PORT: int main
// PORT: #pragma omp target enter data map(alloc:
#include <stdio.h>
#include <stdlib.h>

static void step(int n, double *a, double *b, int times) {
#pragma omp target data map(tofrom : a[0:n], b[0:n])
  for (int t = 0; t < times; t++) {
#pragma omp target update to(a[0:n]) nowait
    if (t > 1) {
#pragma omp target update from(b[0:n])
    }
#pragma omp target teams distribute parallel for map(always, tofrom : b[0:n])
    for (int i = 0; i < n; i++)
      b[i] += a[i];
  }
}

int main(void) {
  int n = 256;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++)
    a[i] = rand() % 10;
#pragma omp target
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    b[i] = 2 * a[i];
#pragma omp target
  for (int k = 1; k < 3; k++) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      b[i] += k * a[i];
  }
#pragma omp target teams map(tofrom : b[0:n])
#pragma omp distribute
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
  step(n, a, b, 3);
  for (int i = 0; i < n; i++)
    printf("%g\n", b[i]);
  return 0;
}
