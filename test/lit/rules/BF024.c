// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0) goto failed;
    // CHECK: BF024.c:[[#@LINE-1]]:19: remark: goto is not followed
    a[i] = 1;
  }
failed:
  return;
}
