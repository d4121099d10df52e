// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, const double *a, double *b) {
  for (int i = 0; i < n; i++)
    b[i] = a[i] * 2.0L;
  // CHECK: BF030.c:[[#@LINE-1]]:{{.*}}: remark: long double arithmetic cannot run on a GPU
}
