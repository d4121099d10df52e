// RUN: %busfare sections --function spmv %s | %FileCheck --strict-whitespace --check-prefix=SPMV %s
// RUN: %busfare sections --function caller %s | %FileCheck --check-prefix=CALLER %s
// RUN: %not %busfare loops %s 2>%t | %python %S/../rules/Inputs/unwrap.py | %FileCheck --check-prefix=REPORT %s
// RUN: %FileCheck --check-prefix=ERRORS %s < %t
// What values an array holds bounds what they subscript, and the loops they bound.

// busfare: range(first: 0, nnz) range(col: 0, m-1)
void spmv(int m, int nnz, const int *first, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < m; i++) {
    double s = 0;
    for (int k = first[i]; k < first[i + 1]; k++) s += val[k] * x[2*col[k] + 1];
    y[i] = s;
  }
}
// SPMV: {{ col +}}read, live-in      at most  [0:nnz-1:1]
// SPMV: {{ val +}}read, live-in      at most  [0:nnz-1:1]
// SPMV: {{ x +}}read, live-in      at most  [1:2*m-1:1]

// The callee's hint speaks of what the caller gives it, and only inside.
void caller(int n, const int *first, const int *col, double *val, double *x, double *y) {
  spmv(n, 3 * n, first, col, val, x, y);
  y[0] += x[col[0]];
}
// CALLER: val read, live-in {{.*}} [0:3*n-1:1]
// CALLER: x read, live-in {{.*}} [1:2*n-1:1] u [`col[0]`
// CALLER: nest in spmv
// CALLER: x read, live-in {{.*}} [1:2*n-1:1]

double leaves(const int *col) {
  static double x[50];
  double s = 0;
  // busfare: range(col: 0, 99)
  for (int i = 0; i < 10; i++) s += x[col[i]];
  return s;
}
// ERRORS: ranges.c:[[#@LINE-4]]:3: error: range(col: 0, 99) is contradicted: with it `x` at {{.*}} would reach element 99 of 0 .. 49; the whole array is taken [BF022]

double written(double *x) {
  int col[100];
  double s = 0;
  for (int i = 0; i < 100; i++) col[i] = 2 * i;
  // busfare: range(col: 0, 99)
  for (int i = 0; i < 100; i++) s += x[col[i]];
  return s;
}
// ERRORS: ranges.c:[[#@LINE-4]]:3: error: range(col: 0, 99) is contradicted: at {{.*}} 198 is written into col; what it bounds is not to be believed [BF022]

// A marker that is written over is none of its values.
double marked(double *x, const int *from) {
  int col[100];
  double s = 0;
  for (int i = 0; i < 100; i++) col[i] = -1;
  for (int i = 0; i < 100; i++) col[i] = from[i];
  // busfare: range(col: 0, 99)
  for (int i = 0; i < 100; i++) s += x[col[i]];
  return s;
}
// ERRORS-NOT: is contradicted
// REPORT: of x is taken what a hint says of col [BF001]
