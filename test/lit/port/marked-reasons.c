// RUN: %busfare port --kernels marked %s -o - -- -fopenmp 2>&1 >/dev/null | %FileCheck --implicit-check-not=warning %s
// Of the loops that the program's own target constructs hold it is said why one is no kernel.
// CHECK-DAG: [[#@LINE+5]]:3: warning: this loop stays on the host: not parallel: u[i] -> u[i - 1]
// CHECK-DAG: [[#@LINE+7]]:3: warning: this loop stays on the host: only the host can run printf
#include <stdio.h>
void f(int n, double *restrict u, double *restrict v) {
#pragma omp target teams distribute parallel for
  for (int i = 1; i < n; i++)
    u[i] += u[i - 1];
#pragma omp target
  for (int i = 0; i < n; i++)
    printf("%g\n", u[i]);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    v[i] = 2 * u[i];
  for (int i = 1; i < n; i++)
    v[i] += v[i - 1];
}
