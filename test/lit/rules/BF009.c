// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *y, const double *x) {
  for (int i = 0; i < n; i++)
    y[i] += x[i];
  // CHECK: BF009.c:[[#@LINE-2]]:3: note: `x` and `y` are assumed not to overlap
}
