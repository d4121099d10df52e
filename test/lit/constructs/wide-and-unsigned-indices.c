// Unsigned, `size_t`, `short` and 64-bit indices; `size_t` countdowns.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 45 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}3 kernels;
// CHECK: Mutants: 8 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 50 };

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], 0, 10) : N;
  unsigned m = (unsigned)n;
  int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (size_t i = 0; i < n; i++)
    a[i] = rand() % 100;
  for (size_t i = n; i-- > 0;)
    b[i] = a[i] + 1;
  for (unsigned i = 1; i < m; i++)
    b[i] += a[i - 1u];
  for (long long i = 0; i < (long long)n; i++)
    b[i] *= 2;
  for (short i = 0; i < 10; i++)
    b[i] += i;
  for (size_t i = 0; i < n; i++)
    printf("%d\n", b[i]);
  free(a);
  free(b);
  return 0;
}
