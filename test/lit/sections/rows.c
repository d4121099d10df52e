// RUN: %busfare sections %s -- | FileCheck %s
// RUN: %busfare loops %s -- | FileCheck %s --check-prefix=LOOPS
// RUN: %busfare analyze --details %s --param n=100 --param m=50 -- | FileCheck %s --check-prefix=REPORT
// Rows of a table: boxes as of any array, copied one by one, under an assumption.
void smooth(int n, int m, double **a, double *restrict b) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) a[i][j] = a[i][j] * b[j];
}
// CHECK: a[] {{.*}} [1:n-2:1][1:m-2:1]
// LOOPS: 6 i yes if rows(a[])
// LOOPS: 7 ..j yes if rows(a[])
// REPORT: a[] h2d {{.*}} [1:n-2:1][1:m-2:1]
// REPORT-NEXT: 8*(n-2)*(m-2) = 37,632 bytes, read at line 7 in 98 copies
// REPORT: rows: those of a table overlap neither each other nor other arrays: a[]
