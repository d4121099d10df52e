// A kernel that surely never runs (a warm-up that is switched off) says nothing of the others: what they wrote comes back.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: b {{ *}}main {{ *}}d2h {{ *}}8,000 {{ *}}8,000 {{ *}}equal
// CHECK: 2 caught, 0 excused, 0 survived
#include <stdio.h>
#define WARM_UP 0
#define N 1000
static double a[N], b[N];
int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = i % 7;
    b[i] = 1;
  }
  for (int t = 0; t < WARM_UP; t++)
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  for (int t = 0; t < 100; t++)
    for (int i = 0; i < N; i++)
      b[i] += 2 * a[i];
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum = sum / 3 + b[i];
  printf("%g\n", sum);
}
