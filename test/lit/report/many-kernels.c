// Of many kernels the text has the loops that take the time, one row for all call paths; the others, and what hardly moves, by name.
// RUN: %busfare analyze many-kernels.c --no-progress | %FileCheck many-kernels.c
// CHECK: What crosses the bus, most bytes first
// CHECK: And little of: b (8 B back), c (8 B back), d (8 B back), e7 (8 B back).
// CHECK: The 17 kernels, most time first
// CHECK: many-kernels.c:{{[0-9]+}} {{ *}}80
// CHECK: reached by 4 call paths
// CHECK: The other 12 loops take {{.*}} in all ({{.*}} %): many-kernels.c: lines
// CHECK-NEXT: (12 loops). --format json has every kernel.
#include <stdio.h>
#define N 40000000
#define M 400000
static double a[N], b[N], c[N], d[N], few[M], e0[M], e1[M], e2[M], e3[M], e4[M], e5[M], e6[M], e7[M], e8[M];
static void scale(double *u, double f) {
  for (int t = 0; t < 20; t++)
    for (int i = 0; i < N; i++) u[i] = u[i] * f + 1;
}
int main(void) {
  for (int i = 0; i < M; i++) scanf("%lf", &few[i]);
  for (int i = 0; i < N; i++) a[i] = b[i] = c[i] = d[i] = i;
  for (int i = 0; i < M; i++) e0[i] = few[i];
  scale(a, 2);
  for (int i = 0; i < M; i++) e1[i] = e0[i] + 1;
  scale(b, 3);
  for (int i = 0; i < M; i++) e2[i] = e1[i] + 1;
  scale(c, 4);
  for (int i = 0; i < M; i++) e3[i] = e2[i] + 1;
  scale(d, 5);
  for (int i = 0; i < M; i++) e4[i] = e3[i] + 1;
  for (int i = 0; i < M; i++) e5[i] = e4[i] + 1;
  for (int i = 0; i < M; i++) e6[i] = e5[i] + 1;
  for (int i = 0; i < M; i++) e7[i] = e6[i] + 1;
  for (int i = 0; i < M; i++) e8[i] = e7[i] + 1;
  for (int i = 0; i < M; i++) few[i] = e8[i] + e7[i];
  for (int i = 0; i < M; i++) e8[i] = few[i] * 2;
  for (int i = 0; i < M; i++) e7[i] = e8[i] * 2;
  fwrite(a, sizeof a[0], N, stdout);
  printf("%g %g %g %g %g %g\n", a[3], b[4], c[5], d[6], few[3], e7[2]);
}
