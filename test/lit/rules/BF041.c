// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, int m, double **a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] *= 2;
  // CHECK: BF041.c:{{.*}}[BF041]
}
