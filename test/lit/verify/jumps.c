// Iterations that jump past what follows: values of the last kernel before the jump are read behind the loop.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// CHECK: verify: passed
// CHECK: 24 kernels
#include <stdio.h>

static double search(int steps, double *restrict a, const double *restrict b, const double *c) {
  double sum = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < 64; i++)
      a[i] = b[i] * 2.0 + t;
    if (c[0] > 1.0) {
      sum += c[1];
      if (c[t] > 3.0)
        break;
      sum += c[2];
    }
    for (int i = 1; i < 64; i++)
      a[i] = a[i] * 0.5 + a[i - 1];
  }
  for (int i = 0; i < 64; i++)
    sum = 0.5 * sum + a[i];
  return sum;
}

static double skip(int steps, const double *restrict a, double *restrict b, const double *c) {
  double sum = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < 64; i++)
      b[i] = a[i] * 0.25 + t;
    if (c[0] > 1.0) {
      if (c[t] > 3.0)
        continue;
      sum += b[t];
    }
    for (int i = 1; i < 64; i++)
      b[i] = b[i - 1] * 0.5 + 1;
  }
  for (int i = 0; i < 64; i++)
    sum = 0.5 * sum + b[i];
  return sum;
}

int main(void) {
  static double a[64], b[64], c[16];
  for (int i = 0; i < 64; i++)
    b[i] = i % 7;
  for (int t = 0; t < 16; t++)
    c[t] = t == 5 || t == 15 ? 4 : 2;
  printf("%.17g\n", search(16, a, b, c));
  printf("%.17g\n", skip(16, a, b, c));
  return 0;
}
