// What a called function keeps in globals and fields, or finds there, it reads: a loop that steps them is serial, whether or not
// their values have a closed form in the caller.
// RUN: %busfare verify %s -- -O2 | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck %s --check-prefix=LOOPS
// CHECK: verify: passed
// LOOPS: main (
// LOOPS: 28 i yes
// LOOPS: 29 i no seed -> seed
// LOOPS: 30 i no state.s -> state.s
// LOOPS: 31 i no top -> top
// LOOPS: 32 at no at -> at
// LOOPS: 33 i no last -> last
// LOOPS: 34 i no q.k -> q.k
// LOOPS: 35 at no at -> at
#include <stdio.h>
struct State { unsigned s; int n; };
struct Pair { int k, m; };
static struct State state = {1, 0};
static struct Pair q = {1, 2};
static double a[100], b[100], c[100];
static int stack[100], top, at, last, index[100];
static unsigned seed = 1;
static double next(void) { seed = seed * 1103515245u + 12345u; return seed; }
static double nextOf(struct State *r) { r->s = r->s * 1103515245u + 12345u; return r->s; }
static void push(int v) { stack[top++] = v; }
static void scale(void) { double t = 2; for (int j = 0; j < 3; j++) t += b[j]; a[at] = at * t + b[at]; }
int main(void) {
  for (int i = 0; i < 100; i++) index[i] = i % 7, b[i] = i;
  for (int i = 0; i < 100; i++) c[i] = next();
  for (int i = 0; i < 100; i++) c[i] -= nextOf(&state);
  for (int i = 0; i < 100; i++) push(i);
  for (at = 0; at < 100; at++) scale();
  for (int i = 0; i < 100; i++) { int before = last; last = index[i]; c[i] += before; }
  for (int i = 0; i < 100; i++) { struct Pair t = q; q.k = t.m * 3 + 1; q.m = t.k; b[i] += t.k; }
  for (at = 0; at < 50; at++) scale();
  double sum = 0;
  for (int i = 0; i < 100; i++) sum += a[i] + b[i] * (i % 3) + c[i] * (i % 5) + stack[i];
  printf("%.12g\n", sum);
}
