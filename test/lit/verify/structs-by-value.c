// A struct passed by value is a struct of the callee's own: what the callee does to it, the caller does not see, and it overlaps
// nothing; what its pointers lead to is the caller's.
// RUN: %busfare verify %s -- -O2 | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck %s --check-prefix=LOOPS
// CHECK: verify: passed
// LOOPS: g (
// LOOPS: 14 i yes no two iterations touch the same element
// LOOPS: main (
// LOOPS: 19 i yes no two iterations touch the same element
// LOOPS: 21 i yes
#include <stdio.h>
struct P { double w, k[3]; int n; double *x; };
static double f(struct P p, int i) { p.w *= 2; p.k[1] += p.w; p.n = i; return p.w + p.k[1] + p.n + p.x[i]; }
static void g(struct P p) { for (int i = 0; i < p.n; i++) p.x[i] = p.w + p.k[2]; }
int main(void) {
  static double a[100], x[100];
  struct P p = {1, {2, 3, 4}, 100, x}, q[3] = {{1, {2, 3, 4}, 100, x}};
  for (int i = 0; i < 100; i++) x[i] = i;
  for (int i = 0; i < 100; i++) a[i] = f(p, i);
  g(p);
  for (int i = 0; i < 100; i++) a[i] += f(q[0], i);
  double s = 0;
  for (int i = 0; i < 100; i++) s += a[i] + x[i];
  printf("%g %g %g %d\n", s, p.w, p.k[1], p.n);
}
