// Scalars that carry subscripts.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 8 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 9, m = 7;
  int *a = malloc(n * m * sizeof *a), *b = calloc(n * m, sizeof *b);
  for (int i = 0; i < n * m; i++)
    a[i] = rand() % 100;
  for (int i = 0; i < n; i++) {
    int base = i * m;
    for (int j = 0; j < m - 1; j++) {
      int idx = base + j, east = idx + 1;
      b[idx] = a[east] - a[idx];
    }
  }
  for (int i = 0; i < n * m; i++)
    printf("%d\n", b[i]);
  return 0;
}
