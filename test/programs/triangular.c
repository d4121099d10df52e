//===- test/programs/triangular.c - LU factorisation in place ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Factorises a dense matrix into L and U in place, without pivoting, then
// solves one system by forward and back substitution. In the style of textbook
// linear algebra: triangular loops, a static two-dimensional array.
//
//   triangular      -DN=400
//
// The loop over k is a recurrence; both loops inside are parallel, over the
// part of the matrix right of and below k: a triangle over all k.
//
//===----------------------------------------------------------------------===//
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 400
#endif

static double A[N][N];
static double b[N], x[N];

static void factorise(void) {
  for (int k = 0; k < N; k++) {
    for (int i = k + 1; i < N; i++)
      A[i][k] /= A[k][k];
#pragma omp parallel for
    for (int i = k + 1; i < N; i++)
      for (int j = k + 1; j < N; j++)
        A[i][j] -= A[i][k] * A[k][j];
  }
}

static void solve(void) {
  for (int i = 0; i < N; i++) {
    double sum = b[i];
    for (int j = 0; j < i; j++)
      sum -= A[i][j] * x[j];
    x[i] = sum;
  }
  for (int i = N - 1; i >= 0; i--) {
    double sum = x[i];
    for (int j = i + 1; j < N; j++)
      sum -= A[i][j] * x[j];
    x[i] = sum / A[i][i];
  }
}

int main(void) {
  srand(37);
  /* The right-hand side for which every unknown is 1; a strong diagonal needs no pivoting. */
  for (int i = 0; i < N; i++) {
    double sum = 0.0;
    for (int j = 0; j < N; j++) {
      A[i][j] = (double)rand() / (double)RAND_MAX + (i == j ? (double)N : 0.0);
      sum += A[i][j];
    }
    b[i] = sum;
  }
  factorise();
  solve();

  double worst = 0.0;
  for (int i = 0; i < N; i++)
    if (!(fabs(x[i] - 1.0) <= worst)) /* also if it is no number */
      worst = fabs(x[i] - 1.0);
  printf("triangular %d: %s\n", N, worst < 1e-9 ? "solved" : "wrong");
  return worst < 1e-9 ? 0 : 1;
}
