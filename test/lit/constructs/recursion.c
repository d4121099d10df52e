// Recursion, which stays on the host before and behind kernels.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 32 };

static int total(const int *v, int n) { return n == 1 ? *v : total(v, n / 2) * 2 % 997 + total(v + n / 2, n - n / 2); }
static int power(int base, int n) { return n == 0 ? 1 : base * power(base, n - 1) % 1009; }

int main(void) {
  static int a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = power(3, i);
  for (int i = 0; i < N; i++)
    b[i] = a[i] * a[N - 1 - i] % 101;
  for (int i = 0; i < N; i++)
    b[i] += a[i];
  printf("%d\n", total(b, N));
  return 0;
}
