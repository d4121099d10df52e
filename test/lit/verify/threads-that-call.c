// What threads of the host call stays there with them: no loop of it is a kernel that each of them would launch.
// RUN: %busfare analyze --details threads-that-call.c | %FileCheck threads-that-call.c --check-prefix=REPORT
// RUN: %busfare verify threads-that-call.c | %FileCheck threads-that-call.c
// CHECK: verify: passed
// REPORT: The 3 kernels
#include <omp.h>
#include <stdio.h>
#define N 400
static double a[N], b[N];
static void work(double *part, int n, int me) {
  for (int i = 0; i < n; i++) part[me * n + i] = part[me * n + i] * 2 + 1;
}
int main(void) {
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 1;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < N; i++) a[i] = a[i] * 0.5 + b[i];
#pragma omp parallel num_threads(4)
    {
      int me = omp_get_thread_num();
      work(a, N / 4, me);
    }
  }
  double s = 0;
  for (int i = 0; i < N; i++) s += a[i] * i;
  printf("%.9g\n", s);
}
