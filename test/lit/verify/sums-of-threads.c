// The program's own reduction stays on the host, for its loop prints: several threads add there, and one in the build that turns loops round.
// Its digits are not told by any order, and so asked of the original when it rounds otherwise.
// RUN: %busfare verify %s -- -fopenmp -O1 | %FileCheck %s
// CHECK: verify: passed
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  double *a = malloc(n * sizeof(double)), sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = 1.0 / (i + 1);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    sum += a[i];
    if (a[i] > 2)
      puts("too large");
  }
  double backwards = 0;
  for (int i = n; i-- > 0;) {
    backwards += a[i];
    if (a[i] > 2)
      puts("too large");
  }
  printf("%g\n", (sum - backwards) / 1e-16);
}
