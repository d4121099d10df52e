// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  for (int i = 0; int left = n - i; i++)
    a[left] = 0;
  // CHECK: BF011.cpp:[[#@LINE-2]]:3: remark: {{.*}} is not read; it stays on the host
}
