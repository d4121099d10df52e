// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
again:
  a[0] = a[0] / 2;
  // CHECK: BF024.c:{{[0-9:]+}}: remark: goto is not read; it stays on the host
  if (a[0] > n) goto again;
}
