// `goto`: forward inside a kernel, and back to repeat on the host.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };

int main(void) {
  static int a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = rand() % 100;
  for (int i = 0; i < N; i++) {
    if (a[i] < 50)
      goto small;
    b[i] = a[i] - 50;
    goto done;
  small:
    b[i] = a[i] * 2;
  done:
    b[i] += 1;
  }
  int rounds = 0;
again:
  for (int i = 0; i < N; i++)
    b[i] = b[i] * 3 % 101;
  if (++rounds < 3)
    goto again;
  for (int i = 0; i < N; i++)
    printf("%d\n", b[i]);
  return 0;
}
