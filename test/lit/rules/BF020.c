// RUN: %not %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  // busfare: independant
  // CHECK: BF020.c:[[#@LINE-1]]:15: error: this hint cannot be read, so it is not taken: expected 'independent'
  for (int i = 1; i < n; i++) a[i] = 0;
}
