// RUN: %busfare analyze --details %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *y, const double *x, const int *col) {
  // CHECK: BF013.c:[[#@LINE-1]]:40: remark: the size of x is not known
  for (int i = 0; i < n; i++)
    y[i] = x[col[i]] * 2;
}
