//===- test/programs/jacobi2d.c - Jacobi relaxation with a pointer swap -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Solves Laplace's equation on a square by Jacobi sweeps: the mean of the four
// neighbours goes into a second array, then the two pointers change places. In
// the style of teaching codes for OpenMP and MPI: an INDEX macro, fixed rims.
//
//   jacobi2d      -DN=1024 -DSTEPS=100
//
// Across the bus: both arrays in (the rim of the second is never written on the
// device but read after a swap), one out, however many steps are made.
//
//===----------------------------------------------------------------------===//
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1024
#endif
#ifndef STEPS
#define STEPS 100
#endif

#define INDEX(i, j) ((i) * n + (j))

static void sweep(const double *from, double *to, int n) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      to[INDEX(i, j)] = 0.25 * (from[INDEX(i - 1, j)] + from[INDEX(i + 1, j)] + from[INDEX(i, j - 1)] +
                                from[INDEX(i, j + 1)]);
}

/* One hot side; serial because of rand(). */
static void set_up(double *u, double *v, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      u[INDEX(i, j)] = i == 0 ? 100.0 : 0.01 * (rand() % 100);
      v[INDEX(i, j)] = u[INDEX(i, j)];
    }
  }
}

/* Depends on the order of the cells, so it stays where it is. */
static double checksum(const double *u, int cells) {
  double sum = 0.0, ofSums = 0.0;
  for (int k = 0; k < cells; k++) {
    sum += u[k];
    ofSums += sum;
  }
  return ofSums / cells;
}

int main(void) {
  double *u = (double *)malloc(sizeof(double) * N * N);
  double *v = (double *)malloc(sizeof(double) * N * N);
  if (!u || !v) {
    fprintf(stderr, "jacobi2d: out of memory\n");
    return 1;
  }
  srand(19);
  set_up(u, v, N);

  for (int t = 0; t < STEPS; t++) {
    sweep(u, v, N);
    double *swap = u;
    u = v;
    v = swap;
  }

  printf("jacobi2d %dx%d, %d steps: checksum %.9e\n", N, N, STEPS, checksum(u, N * N));
  free(u);
  free(v);
  return 0;
}
