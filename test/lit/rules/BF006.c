// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
int f(int n, const double *a) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0) return i;
  // CHECK: BF006.c:[[#@LINE-2]]:3: remark: this loop may be left early
  return n;
}
