// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *x, const int *col) {
  for (int k = 0; k < n; k++)
    x[col[k]] = 0;
  // CHECK: BF001.c:[[#@LINE-1]]:5: remark: {{.*}}depends on memory
}
