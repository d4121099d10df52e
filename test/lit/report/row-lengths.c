// RUN: %busfare sizes %s -- | FileCheck %s --check-prefix=OPEN
// RUN: %busfare sizes %s --param n=1000000 --param nnz=7000000 -- | FileCheck %s --check-prefix=FILLED
// RUN: %busfare analyze %s --param n=1000000 --param nnz=7000000 -- | FileCheck %s --check-prefix=PRICED
// RUN: %busfare sizes %s --param "spmv::ptr[r + 1]=12" -- | FileCheck %s --check-prefix=GIVEN
// Rows in compressed form are as long as what they fill together says; else one value, the end of a row, stays open.
// OPEN: Open
// OPEN: spmv::ptr[r + 1] = 100, assumed: elements of a row that begins at 0
// OPEN: Of conditions and subscripts only
// OPEN: spmv::k = 0, assumed: rows are taken to begin at 0
// FILLED: Bound
// FILLED: spmv::ptr[r + 1] = 7, declared: nnz elements of val in n rows
// PRICED-NOT: Sizes that nobody gave
// PRICED: The program's own defaults: spmv::ptr[r + 1] = 7.
// GIVEN: Bound
// GIVEN: spmv::ptr[r + 1] = 12, command line
#include <stdlib.h>
void spmv(int rows, const int *restrict ptr, const int *restrict col, const double *restrict val,
          const double *restrict x, double *restrict y) {
  for (int r = 0; r < rows; r++) {
    double s = 0;
    for (int k = ptr[r]; k < ptr[r + 1]; k++) s += val[k] * x[col[k]];
    y[r] = s;
  }
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), nnz = atoi(argv[2]);
  int *ptr = malloc((n + 1) * sizeof *ptr), *col = malloc(nnz * sizeof *col);
  double *val = malloc(nnz * sizeof *val), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  for (int r = 0; r <= n; r++) ptr[r] = r * 5;
  for (int k = 0; k < nnz; k++) {
    col[k] = k % n;
    val[k] = k;
  }
  for (int r = 0; r < n; r++) x[r] = r;
  for (int t = 0; t < 50; t++) spmv(n, ptr, col, val, x, y);
  return y[3] > 2;
}
