// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void cblas_dscal(int n, double alpha, double *x, int incx);
void f(int n, double *a) {
  for (int i = 0; i < n; i++)
    cblas_dscal(n, 2.0, &a[i * n], 1);
  // CHECK: BF043.c:[[#@LINE-1]]:5: remark: cblas_dscal is a call of BLAS; it stays on the host here
}
