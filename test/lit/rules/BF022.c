// RUN: %not %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  // busfare: independent
  // CHECK: BF022.c:[[#@LINE-1]]:3: error: independent is contradicted: a[i] -> a[i - 1]
  for (int i = 1; i < n; i++) a[i] = a[i - 1];
}
