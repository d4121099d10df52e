// Pointers to rows: of one array, or each a piece of memory of its own (which stay on the host).
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 12, M = 9 };

int main(void) {
  double *a = malloc(N * M * sizeof *a), *b = malloc(N * sizeof *b), **rows = malloc(N * sizeof *rows);
  for (int i = 0; i < N; i++)
    rows[i] = malloc(M * sizeof **rows);
  for (int i = 0; i < N * M; i++)
    a[i] = rand() % 100;
  for (int i = 0; i < N; i++) {
    double *row = a + i * M;
    row[0] = 1;
    for (int j = 1; j < M; j++)
      row[j] = row[j] + row[j - 1];
    b[i] = row[M - 1];
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      rows[i][j] = b[i] + j;
  double s = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      s = s * 0.5 + rows[i][j] + a[i * M + j];
  printf("%.9g\n", s);
  return 0;
}
