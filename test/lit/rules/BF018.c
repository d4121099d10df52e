// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a, const int *mask) {
  for (int i = 0; i < n; i++)
    if (mask[i] > 0)
      a[i] = 0;
  // CHECK: BF018.c:[[#@LINE-2]]:5: note: whether this branch is taken depends on data
}
