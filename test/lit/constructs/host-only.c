// I/O, `long double`, allocation and function pointers in loops, which stay on the host.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 8 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 24 };

static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }

int main(void) {
  static int a[N], b[N];
  static long double wide[N];
  int (*const pick[2])(int) = {twice, thrice};
  for (int i = 0; i < N; i++)
    a[i] = rand() % 100;
  for (int i = 0; i < N; i++)
    b[i] = a[i] + 1;
  for (int i = 0; i < N; i++)
    wide[i] = b[i] / 3.0L;
  for (int i = 0; i < N; i++) {
    int *scratch = malloc(sizeof *scratch);
    *scratch = pick[i % 2](b[i]);
    b[i] = *scratch;
    free(scratch);
  }
  for (int i = 0; i < N; i++)
    a[i] = b[i] * 2;
  for (int i = 0; i < N; i++)
    printf("%d %.9Lg\n", a[i], wide[i]);
  return 0;
}
