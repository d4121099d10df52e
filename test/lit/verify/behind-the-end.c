// A pointer that leads behind the array's last element, for a kernel that goes back from there: on the device it leads nowhere,
// so the kernel stays on the host.
// RUN: %busfare verify %s -- -O2 | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck --check-prefix=LOOPS %s
// CHECK: verify: passed
// CHECK: size of u has no
// Both tables' entries are one: nothing is assumed of two parts that begin there.
// LOOPS: shift (
// LOOPS: i     no
#include <stdio.h>
#define N 120
static double u[N], r[N];
static int at[4] = {30, 60, 90, 120};

static void reverse(double *p, const double *q, int m) {
  for (int i = 1; i < m; i++)
    p[-i] = q[i];
}

static void shift(double *p, double *q, int m) {
  for (int i = 1; i < m; i++)
    p[i] = q[i - 1];
}

static void both(double *p, const int *t, const int *s, int m) { shift(p + t[1], p + s[0], m); }

int main(void) {
  for (int i = 0; i < N; i++)
    r[i] = i % 17;
  for (int t = 0; t < 3; t++)
    for (int k = 0; k < 3; k++) {
      reverse(&u[at[k + 1]], &r[at[k]], 20 + t);
      both(r, &at[k], &at[k + 1], 10);
    }
  double s = 0;
  for (int i = 0; i < N; i++)
    s += u[i] * (i % 7) + r[i];
  printf("%g\n", s);
  return 0;
}
