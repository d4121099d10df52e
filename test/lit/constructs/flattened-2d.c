// A pointer with linear subscripts, seen as two dimensions.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 10 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 12, m = n / 2 + 3;
  double *a = malloc(n * m * sizeof(double)), *b = malloc(n * m * sizeof(double));
  for (int i = 0; i < n * m; i++)
    a[i] = rand() % 100, b[i] = i;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j + 1];
  for (int i = 0; i < n * m; i++)
    printf("%g\n", b[i]);
  free(a);
  free(b);
  return 0;
}
