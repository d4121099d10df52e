// Pointers that walk along with a loop.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 30, M = 8 };

int main(void) {
  static int a[N * M], b[N];
  for (int i = 0; i < N * M; i++)
    a[i] = rand() % 100;
  for (int i = 0; i < N; i++) {
    const int *p = a + i * M, *end = p + M;
    int s = 0;
    while (p < end)
      s = s * 2 + *p++;
    b[i] = s;
  }
  int *q = b;
  for (int i = 0; i < N; i++)
    *q++ += i;
  for (int i = 0; i < N; i++)
    printf("%d\n", b[i]);
  return 0;
}
