// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a, const int *idx) {
  // busfare: independent
  // CHECK: BF023.c:[[#@LINE-1]]:3: note: `independent` is taken as true for the loop at
  for (int i = 1; i < n; i++) a[idx[i]] = 0;
}
