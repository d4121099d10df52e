// RUN: %busfare verify --no-progress seldom-host-code.c | %FileCheck %s
// RUN: %busfare analyze --details --no-progress seldom-host-code.c | %FileCheck %s --check-prefix=PLAN
//
// What the host looks at or changes once in a while crosses then, and not each time.
#include <stdio.h>
#define N 1000
static double a[N], b[N], c[N];
static void smooth(double *to, const double *from) {
  for (int i = 1; i < N - 1; i++)
    to[i] = 0.25 * (from[i - 1] + 2 * from[i] + from[i + 1]);
}
static double largest(const double *u) {
  double m = 0;
  for (int i = 0; i < N; i++) {
    if (u[i] > m)
      m = u[i];
    if (u[i] > 1e9)
      printf("diverges at %d\n", i);
  }
  return m;
}
// PLAN: a {{ *}}h2d {{ *}}3x
// PLAN: the host may change it under a condition
// PLAN: a {{ *}}d2h {{ *}}5x
// PLAN: 7,984 bytes, needed at line 15
// PLAN: c {{ *}}d2h {{ *}}50x
// CHECK: verify: passed
// CHECK: a {{ *}}main {{ *}}h2d {{.*}} equal
// CHECK: a {{ *}}main {{ *}}d2h {{.*}} equal
int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = b[i] = c[i] = (i * 37) % 101;
  for (int t = 0; t < 50; t++) {
    smooth(b, a);
    smooth(a, b);
    if (t % 10 == 0)
      printf("%d %.10g\n", t, largest(a));
    if (t % 20 == 5) {
      a[0] = t;
      a[N / 2] += 1;
      printf("set\n");
    }
    for (int i = 0; i < N; i++)
      c[i] += a[i];
    if (t % 7 == 0)
      printf("%.10g\n", c[t]);
    printf("%.10g\n", c[N - 1]); // each time: once for both
  }
  printf("%.10g %.10g\n", a[N / 3], b[N / 4]);
  return 0;
}
