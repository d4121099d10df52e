// Casts of indices, sizes and pointers.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 33 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 48 };

int main(int argc, char **argv) {
  long n = argc > 1 ? (long)atoi(argv[1]) : N;
  float *a = (float *)malloc((size_t)n * sizeof(float));
  double *b = (double *)malloc((size_t)n * sizeof(double));
  for (int i = 0; i < (int)n; i++)
    a[i] = (float)(rand() % 100);
  for (int i = 0; i < (int)n; i++)
    b[(size_t)i] = (double)a[i] + (int)(a[(unsigned)i] / 7.0f);
  char *bytes = (char *)malloc((size_t)n);
  for (int i = 0; i < (int)n; i++)
    bytes[i] = (char)((int)b[i] % 50);
  for (int i = 0; i < (int)n; i++)
    printf("%g %d\n", b[i], bytes[i]);
  return 0;
}
