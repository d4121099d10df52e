// Arrays of variable length, local ones and parameters.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 11 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 3 caught, 1 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

static void blur(int n, int m, double in[n][m], double out[n][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      out[i][j] = (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]) / 4;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 9, m = n + 3;
  double a[n][m];
  double b[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = rand() % 100, b[i][j] = 0;
  blur(n, m, a, b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%g\n", b[i][j]);
  return 0;
}
