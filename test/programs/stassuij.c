//===- test/programs/stassuij.c - Sparse real times dense complex, accumulated ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// C += A * B, where A is a sparse real matrix of 132 x 132 in compressed rows and
// B, C are dense complex matrices of 132 x 2048. In the style of the two-body
// correlation kernel of Green's function Monte Carlo codes, in C: row starts,
// column numbers and values in three arrays with room for a full matrix.
//
//   stassuij [SEED]      -DSTATES=132 -DCOLUMNS=2048
//
// Across the bus: B, C and all three arrays of A in (8,860,372 B: what an
// indirect subscript touches is not known, so each is taken whole); C out.
//
//===----------------------------------------------------------------------===//
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef STATES
#define STATES 132
#endif
#ifndef COLUMNS
#define COLUMNS 2048
#endif

void multiply(double complex *C, const double *values, const int *columns, const int *row_start,
              const double complex *B, int rows, int width) {
#pragma omp parallel for
  for (int i = 0; i < rows; i++) {
    for (int k = row_start[i]; k < row_start[i + 1]; k++) {
      const double a = values[k];
      const int col = columns[k];
      for (int j = 0; j < width; j++)
        C[i * width + j] += a * B[col * width + j];
    }
  }
}

static double uniform(void) { return (double)rand() / (double)RAND_MAX - 0.5; }

/* A banded coupling of states, with some long-range pairs. */
static int make_sparse(double *values, int *columns, int *row_start, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    row_start[i] = count;
    for (int j = 0; j < n; j++) {
      const int near = i - j < 6 && j - i < 6;
      if (near || rand() % 16 == 0) {
        columns[count] = j;
        values[count] = uniform();
        count++;
      }
    }
  }
  row_start[n] = count;
  return count;
}

static void make_dense(double complex *x, int count) {
  for (int k = 0; k < count; k++) {
    const double re = uniform(), im = uniform();
    x[k] = re + im * I;
  }
}

/* Depends on the order of the elements, so it stays where it is. */
static double complex checksum(const double complex *x, int count) {
  double complex sum = 0.0, ofSums = 0.0;
  for (int k = 0; k < count; k++) {
    sum += x[k];
    ofSums += sum;
  }
  return ofSums / count;
}

int main(int argc, char **argv) {
  srand(argc > 1 ? (unsigned)atoi(argv[1]) : 13u);
  double *values = (double *)malloc(STATES * STATES * sizeof(double));
  int *columns = (int *)malloc(STATES * STATES * sizeof(int));
  int *row_start = (int *)malloc((STATES + 1) * sizeof(int));
  double complex *B = (double complex *)malloc(STATES * COLUMNS * sizeof(double complex));
  double complex *C = (double complex *)malloc(STATES * COLUMNS * sizeof(double complex));
  if (!values || !columns || !row_start || !B || !C) {
    fprintf(stderr, "stassuij: out of memory\n");
    return 1;
  }
  const int count = make_sparse(values, columns, row_start, STATES);
  make_dense(B, STATES * COLUMNS);
  make_dense(C, STATES * COLUMNS);

  multiply(C, values, columns, row_start, B, STATES, COLUMNS);

  const double complex sum = checksum(C, STATES * COLUMNS);
  printf("stassuij %dx%d with %d of %d nonzeros: checksum %.6e %.6e\n", STATES, COLUMNS, count, STATES * STATES,
         creal(sum), cimag(sum));
  free(values);
  free(columns);
  free(row_start);
  free(B);
  free(C);
  return 0;
}
