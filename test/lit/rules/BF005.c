// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  while (a[0] > 1)
    a[0] = a[0] / 2;
  // CHECK: BF005.c:[[#@LINE-2]]:3: remark: how often this loop runs is not known
}
