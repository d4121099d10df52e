// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --function row --no-progress | FileCheck %s
// Two decimals of sums that lie halfway between: in another order some are rounded the other way.
#include <stdio.h>
#define N 40

static void row(double a[N][N], double *sum) {
  for (int i = 0; i < N; i++) {
    double s = 0;
    for (int j = 0; j < N; j++)
      s += a[i][j];
    sum[i] = s;
  }
}

int main(void) {
  static double a[N][N], sum[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = (i * j % 9 + 1) * 0.1;
  for (int i = 0; i < N; i++)
    a[i][0] += 0.005;
  row(a, sum);
  for (int i = 0; i < N; i++)
    printf("%.2f\n", sum[i]);
  return 0;
}
// CHECK: verify: passed
// CHECK: ordered {{ *}}reverse, {{.*}} ok
