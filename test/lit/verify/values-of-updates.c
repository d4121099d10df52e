// An update whose value is used is no part of a reduction: each iteration sees what those before it did. What math functions
// store through a pointer is stored. Code that runs when a block or the program ends reads what is there then.
// RUN: %busfare verify %s -- -O2 -lm | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck %s --check-prefix=LOOPS
// CHECK: verify: passed
// LOOPS: f (
// LOOPS: 24 i no
// LOOPS: 25 i no
// LOOPS: 26 i no
// LOOPS: 27 i no
// LOOPS: 28 i yes reduction(+: n)
// LOOPS: 35 i yes
// LOOPS: 36 i no
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static double a[100], b[101], c[100], d[100], acc, t;
static int ix[100], e[100], pos[100], cnt[10], n;
static void dump(void) { double s = 0; for (int i = 0; i < 100; i++) s += d[i]; printf("at exit %g\n", s); }
static void twice(double **p) { for (int i = 0; i < 100; i++) (*p)[i] *= 2; }
static void f(void) {
  static int k;
  for (int i = 0; i < 100; i++) c[i] += (t += 1);
  for (int i = 0; i < 100; i++) if ((acc += c[i]) > 50) d[i] = 1;
  for (int i = 0; i < 100; i++) pos[i] = cnt[ix[i]]++;
  for (int i = 0; i < 100; i++) c[i] -= k++;
  for (int i = 0; i < 100; i++) (void)(n += ix[i]), (void)0;
}
int main(void) {
  atexit(dump);
  for (int i = 0; i < 100; i++) { ix[i] = i % 3; a[i] = i * 0.37; c[i] = i; d[i] = 0; }
  f();
  f();
  for (int i = 0; i < 100; i++) a[i] += frexp(a[i], &e[i]);
  for (int i = 0; i < 100; i++) b[i] = modf(a[i], &b[i + 1]);
  for (int i = 0; i < 100; i++) sincos(a[i], &c[i], &d[i]);
  { __attribute__((cleanup(twice))) double *q = b; q[0] = 1; }
  double s = 0;
  for (int i = 0; i < 100; i++) s += a[i] + b[i] * i + c[i] * pos[i] + e[i];
  for (int i = 0; i < 100; i++) d[i] = d[i] + s;
  printf("%.10g %d\n", s, n);
}
