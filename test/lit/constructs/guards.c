// Conditions that narrow what is touched, and writes that data decide.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 9 caught, 1 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int main(void) {
  static int a[N], b[N], mark[N];
  for (int i = 0; i < N; i++)
    a[i] = rand() % 100, b[i] = rand() % 5, mark[i] = rand() % 7;
  for (int i = 0; i < N; i++) {
    if (i > 0 && i < N - 1)
      b[i] = a[i - 1] + a[i + 1];
    if (a[i] % 2)
      mark[i] = i;
    switch (a[i] % 3) {
    case 0:
      b[i] += 1;
      break;
    case 1:
      b[i] -= 1;
      break;
    default:
      b[i] *= 2;
    }
  }
  for (int i = 0; i < N; i++)
    printf("%d %d\n", b[i], mark[i]);
  return 0;
}
