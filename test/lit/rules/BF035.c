// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
#pragma omp parallel
  {
#pragma omp cancel parallel
    // CHECK: BF035.c:[[#@LINE-1]]:{{.*}}: remark: this OpenMP directive is not followed
    a[0] = n;
  }
}
