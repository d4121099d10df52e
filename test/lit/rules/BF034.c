// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *y, double (*g)(double)) {
  for (int i = 0; i < n; i++)
    y[i] = g(y[i]);
  // CHECK: BF034.c:[[#@LINE-1]]:12: remark: which function is called through `g` is known only while it runs
}
