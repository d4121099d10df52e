// However the original rounds it prints the same digits: each partial sum errs to the side of what it is taken from. Another order of its
// terms gives others, as the original itself does where a compiler may regroup its sums.
// RUN: %busfare verify %s -- -O1 | %FileCheck %s
// CHECK: verify: passed
// CHECK: compared only as closely
#include <math.h>
#include <stdio.h>
#define N 32
static float a[N][N];
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = 10 * expf(-0.001f * (i > j ? i - j : j - i));
  for (int i = 0; i < N; i++) {
    for (int j = i; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < i; k++)
        sum += a[i][k] * a[k][j];
      a[i][j] -= sum;
    }
    for (int j = i + 1; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < i; k++)
        sum += a[j][k] * a[k][i];
      a[j][i] = (a[j][i] - sum) / a[i][i];
    }
  }
  for (int i = 0; i < N; i++)
    for (int j = i; j < N; j++)
      printf("%g\n", a[i][j]);
}
