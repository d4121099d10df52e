//===- test/programs/gemm.c - C = alpha A B + beta C ------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Dense matrix product in double precision, row-major and flattened. In the
// style of a reference BLAS loop with the sizes from the command line:
//
//   gemm [M [N [K]]]      -DSIZE=512 sets the default of each
//
// Sizes are not known when it is compiled; what crosses is 8 (m k + k n + m n)
// bytes in and 8 m n out.
//
//===----------------------------------------------------------------------===//
#include <stdio.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 512
#endif

void gemm(int m, int n, int k, double alpha, const double *restrict A, const double *restrict B, double beta,
          double *restrict C) {
#pragma omp parallel for
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++)
      C[i * n + j] *= beta;
    for (int l = 0; l < k; l++) {
      const double a = alpha * A[i * k + l];
      for (int j = 0; j < n; j++)
        C[i * n + j] += a * B[l * n + j];
    }
  }
}

static void fill(double *x, int count) {
  for (int i = 0; i < count; i++)
    x[i] = (double)rand() / (double)RAND_MAX;
}

/* Depends on the order of the elements, so it stays where it is. */
static double checksum(const double *x, int count) {
  double sum = 0.0, ofSums = 0.0;
  for (int i = 0; i < count; i++) {
    sum += x[i];
    ofSums += sum;
  }
  return ofSums / count;
}

int main(int argc, char **argv) {
  const int m = argc > 1 ? atoi(argv[1]) : SIZE;
  const int n = argc > 2 ? atoi(argv[2]) : SIZE;
  const int k = argc > 3 ? atoi(argv[3]) : SIZE;
  if (m < 1 || n < 1 || k < 1) {
    fprintf(stderr, "usage: gemm [M [N [K]]]\n");
    return 2;
  }
  double *A = (double *)malloc((size_t)m * k * sizeof(double));
  double *B = (double *)malloc((size_t)k * n * sizeof(double));
  double *C = (double *)malloc((size_t)m * n * sizeof(double));
  if (!A || !B || !C) {
    fprintf(stderr, "gemm: out of memory\n");
    return 1;
  }
  srand(17);
  fill(A, m * k);
  fill(B, k * n);
  fill(C, m * n);

  gemm(m, n, k, 1.5, A, B, 0.5, C);

  printf("gemm %dx%dx%d: checksum %.9e\n", m, n, k, checksum(C, m * n));
  free(A);
  free(B);
  free(C);
  return 0;
}
