// Several exits: `break`, `continue` and `return` inside a kernel's loops.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 5 caught, 1 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 40, M = 16 };

static int firstAbove(const int *row, int limit) {
  for (int j = 0; j < M; j++)
    if (row[j] > limit)
      return j;
  return -1;
}

int main(void) {
  static int a[N][M], where[N], sum[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = rand() % 100;
  for (int i = 0; i < N; i++) {
    sum[i] = 0;
    for (int j = 0; j < M; j++) {
      if (a[i][j] % 3 == 0)
        continue;
      if (sum[i] > 200)
        break;
      sum[i] += a[i][j];
    }
  }
  for (int i = 0; i < N; i++)
    where[i] = firstAbove(a[i], 80);
  for (int i = 0; i < N; i++)
    printf("%d %d\n", sum[i], where[i]);
  return 0;
}
