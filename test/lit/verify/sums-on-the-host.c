// The sum over j is called parallel, but stays on the host: the build that turns loops round turns it all the same.
// RUN: %busfare verify %s -- -fopenmp -O1 | %FileCheck %s
// CHECK: verify: passed
#include <stdio.h>
#define N 1000
static double a[N], r[4];
int main(void) {
  int i, j;
  double x = 0;
  for (i = 0; i < N; i++)
    a[i] = 1.0 / (i + 1);
#pragma omp parallel num_threads(1)
  {
#pragma omp for private(j)
    for (i = 0; i < 4; i++) {
      x = x / 2;
      for (j = 0; j < N; j++)
        x = x + a[j];
      r[i] = x;
    }
  }
  printf("%g\n", (r[0] - 7.485470860550345) / 1e-16);
}
