// What a pragma tells a compiler of the loop under it: nothing may come between the two, and on a device's threads it says nothing. It
// goes where the loop becomes a kernel, and stays where it does not, copies in front of it.
// RUN: %busfare verify --mutants --kernels all %s -- -O2 | %FileCheck %s
// RUN: %busfare port --kernels all %s | %FileCheck --check-prefix=PORT %s
// CHECK: verify: passed
// PORT-LABEL: {{^}}int main(
// PORT-NOT: {{^}}#pragma unroll
// PORT-NOT: {{^}}#pragma GCC unroll 4
// PORT: {{^}}#pragma omp target update from(v
// PORT-NEXT: {{^}}#pragma omp target exit data
// PORT-NEXT: {{^}}#pragma GCC ivdep
// PORT-NEXT: for (int i = 1; i < N; i++)
#include <stdio.h>
#define N 1000
static double u[N], v[N];
int main(void) {
#pragma unroll
  for (int i = 0; i < N; i++)
    u[i] = i;
#pragma GCC unroll 4
  // a comment between
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 2; k++)
      v[i] += u[i] + k;
  for (int t = 0; t < 3; t++)
#pragma GCC ivdep
    for (int i = 0; i < N; i++)
      v[i] += 1;
#pragma GCC ivdep
  for (int i = 1; i < N; i++)
    v[i] += 0.5 * v[i - 1];
  printf("%g\n", v[N - 1]);
  return 0;
}
