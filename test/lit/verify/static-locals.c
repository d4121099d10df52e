// RUN: %busfare verify %s | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck %s --check-prefix=LOOPS
// CHECK: verify: passed
// Statics of two functions are two objects, whatever they are called; fields whose address is kept are written from afar.
#include <stdio.h>
static double from[200], to[200];
static double square(double x) {
  static double t;
  t = x;
  return t * t;
}
static double before(double x) {
  static double t = 1;
  double last = t;
  t = x;
  return last;
}
struct sizes { int n, m; };
int main(void) {
  for (int i = 0; i < 200; i++) from[i] = i;
  // LOOPS: [[#@LINE+1]] i no before::t -> before::t
  for (int i = 0; i < 200; i++) to[i] = square(from[i]) + before(from[i]);
  struct sizes s = {10, 20};
  int *kept[2] = {&s.n, &s.m};
  *kept[0] = 150;
  double sum = 0;
  for (int i = 0; i < s.n; i++) sum += to[i] * i;
  printf("%g\n", sum);
}
