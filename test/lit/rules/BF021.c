// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  // busfare: independent
  // CHECK: BF021.c:[[#@LINE-1]]:3: warning: the hint `independent` stands before no loop or function
  a[0] = n;
}
