// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --function project --no-progress | FileCheck %s
// What is left of a vector when all of it was taken off is nothing but rounding: no order of the sums gives it for sure.
#include <stdio.h>
#define N 200

static void project(const double *restrict onto, double *restrict from, double *restrict norm) {
  double dot = 0, own = 0;
  for (int i = 0; i < N; i++)
    dot += onto[i] * from[i];
  for (int i = 0; i < N; i++)
    own += onto[i] * onto[i];
  double left = 0;
  for (int i = 0; i < N; i++)
    from[i] -= onto[i] * (dot / own);
  for (int i = 0; i < N; i++)
    left += from[i] * from[i];
  norm[0] = own;
  norm[1] = left;
}

int main(void) {
  static double onto[N], from[N];
  double norm[2];
  for (int i = 0; i < N; i++) {
    onto[i] = (i % 13 + 1) * 0.1;
    from[i] = onto[i] * 3.7;
  }
  project(onto, from, norm);
  printf("%.3f %.3g\n", norm[0], norm[1] * 1e30);
  return 0;
}

// CHECK: verify: passed
// CHECK: note: 1 of 2 printed words are compared only as closely as the original
