// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1];
  // CHECK: BF007.c:[[#@LINE-2]]:3: note: iterations depend on each other: a[i] -> a[i - 1]
}
