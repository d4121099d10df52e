// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
int omp_get_thread_num(void);
void f(int n, double *a) {
#pragma omp parallel
  {
    int first = omp_get_thread_num() * n;
    // CHECK: BF031.c:[[#@LINE-1]]:17: remark: omp_get_thread_num asks about the threads of the host
    for (int i = first; i < first + n; i++) a[i] = 0;
  }
}
