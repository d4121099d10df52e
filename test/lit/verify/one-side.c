// RUN: %busfare verify %s | %FileCheck %s
// CHECK: verify: passed
// What runs only on one side of a condition: pointers that are stepped in a choice, effects behind && and ||.
#include <stdio.h>
#define N 64
static double a[N], b[N], c[N], seen[N];
static int take[N];
int main(void) {
  for (int i = 0; i < N; i++) a[i] = i * 37 % 100, b[i] = i * 53 % 100, take[i] = i * 29 % 3 == 0, seen[i] = -1;
  double *p = a, *q = b;
  for (int i = 0; i < N; i++) c[i] = *(take[i] ? p++ : q++);
  int fine = 1, bad = 0;
  for (int i = 0; i < N; i++) fine = fine && (seen[i] = a[i]) < 95;
  for (int i = 0; i < N; i++) bad = bad || a[i] > 98;
  double sum = 0;
  for (int i = 0; i < N; i++) sum += c[i] * (i + 1) + seen[i] * (i + 2);
  printf("%g %d %d %d\n", sum, (int)(p - a), fine, bad);
}
