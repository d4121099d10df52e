// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[n / (i + 1)] = 0;
  // CHECK: BF002.c:[[#@LINE-1]]:5: remark: subscript `n / (i + 1)` is no affine form
}
