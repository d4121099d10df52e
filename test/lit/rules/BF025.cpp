// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  for (int i = 0; i < n; i++)
    if (a[i] < 0) throw i;
  // CHECK: BF025.cpp:[[#@LINE-1]]:19: remark: throw leaves for a handler that is not followed
  try {
    // CHECK: BF025.cpp:[[#@LINE-1]]:3: remark: try, whose handlers run in no order that is followed, is not read
    a[0] = 1;
  } catch (...) {
  }
}
