// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
#pragma omp parallel
  {
#pragma omp cancel parallel
    // CHECK: BF035.c:[[#@LINE-1]]:{{.*}}: remark: this OpenMP directive is not followed
  }
}
void counted(int n, double *a) {
  int threads = 0;
  // CHECK: BF035.c:[[#@LINE+1]]:1: remark: a parallel region of which every thread runs line [[#@LINE+4]] stays on the host
#pragma omp parallel
  {
#pragma omp atomic
    threads++;
#pragma omp for
    for (int i = 0; i < n; i++) a[i] = 1;
  }
}
