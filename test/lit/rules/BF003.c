// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
double lookup(int i);
void f(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = lookup(i);
  // CHECK: BF003.c:[[#@LINE-1]]:12: remark: the body of lookup is not seen
}
