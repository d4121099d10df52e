// Several indices in one head, stepped together or against each other.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: nothing to run
#include <stdio.h>
#include <stdlib.h>

enum { N = 50 };

int main(void) {
  static int a[N], b[N], d[2 * N];
  int i, j;
  for (i = 0; i < N; i++)
    a[i] = rand() % 100;
  for (i = 0, j = N - 1; i < N; i++, j--)
    b[i] = a[j] + i;
  for (i = 0, j = 1; i < N; i++, j += 2) {
    d[j - 1] = b[i];
    d[j] = b[N - 1 - i];
  }
  for (i = 0; i < 2 * N; i++)
    printf("%d\n", d[i]);
  return 0;
}
