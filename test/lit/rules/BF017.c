// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, int m, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = 1;
  // CHECK: BF017.c:{{[0-9:]+}}: remark: no shape of 'a' with rows of {{.*}} [BF017]
}
