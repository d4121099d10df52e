// Code that only OpenMP's compilers see is tried in another order, too. The hint is wrong, and that is found out.
// REQUIRES: watch, gcc, offload
// RUN: %not %busfare verify %s --no-progress -- -fopenmp | FileCheck %s
// CHECK: verify: FAILED
// CHECK: {{ordered +forward.* ok}}
// CHECK: {{ordered +reverse.* FAILED}}
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif
enum { N = 40 };

int main(void) {
  static int a[N];
  for (int i = 0; i < N; i++)
    a[i] = i * 7 % 11 + 1;
#ifdef _OPENMP
  // busfare: independent
  for (int i = 1; i < N; i++)
    a[i] += a[(i * 3 + 1) % i];
#endif
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    a[i] *= 2;
  for (int i = 0; i < N; i++)
    printf("%d\n", a[i]);
#ifdef _OPENMP
  printf("%d\n", omp_get_num_threads());
#endif
  return 0;
}
