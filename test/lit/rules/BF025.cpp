// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  for (int i = 0; i < n; i++)
    if (a[i] < 0) throw i;
  // CHECK: BF025.cpp:[[#@LINE-1]]:19: remark: throw leaves for a handler; it stays on the host
  for (int i = 0; i < n; i++) {
    try {
      // CHECK: BF025.cpp:[[#@LINE-1]]:5: remark: try with a throw of its own, in a loop, is not read
      if (a[i] > 9) throw i;
      a[i] = 1;
    } catch (int) {
    }
  }
}
