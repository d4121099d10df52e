// A function that a kernel calls cannot end the program from the device; the loop stays on the host, and says why. What a
// macro makes of the call cannot be taken out either.
// RUN: %busfare verify ends-in-calls.c -- -O2 2>&1 | %FileCheck %s
// CHECK: verify: passed
// CHECK-DAG: may end the program (exit), and the device would have to return through it
// CHECK-DAG: stays on the host: a macro writes the call
#include <stdio.h>
#include <stdlib.h>
#define N 200
#define CHECKED(x) if ((x) < 0) exit(3)
static double a[N], b[N], c[N];
static double root(double x) {
  if (x < 0) exit(3);
  return x * 0.5;
}
int main(void) {
  for (int i = 0; i < N; i++) a[i] = i;
  for (int i = 0; i < N; i++) b[i] = root(a[i]);
  for (int i = 0; i < N; i++) {
    CHECKED(b[i]);
    c[i] = a[i] + b[i];
  }
  double s = 0;
  for (int i = 0; i < N; i++) s += c[i] * b[i];
  printf("%g\n", s);
}
