// RUN: %busfare port %s --kernels marked -o %t.c -- -fopenmp
// RUN: %FileCheck --input-file %t.c %s
// RUN: %clang -fopenmp -Werror -c %t.c -o /dev/null
// RUN: %busfare verify %s --kernels marked -- -O2 -fopenmp | %FileCheck --check-prefix=VERIFY %s
// What the program's own target constructs hold are the kernels, also in functions that are called there; the rest stays on the
// host, and what has to cross is found for that.
// VERIFY: verify: passed
// VERIFY: 12 kernels
#include <stdio.h>
#define N 400

// CHECK-LABEL: void relax(
// CHECK: {{^}}#pragma omp target teams distribute parallel for
// CHECK-NEXT: for (int i = 1
static void relax(double *restrict v, const double *restrict u) {
  for (int i = 1; i < N - 1; i++)
    v[i] = 0.5 * (u[i - 1] + u[i + 1]);
}

int main(void) {
  static double u[N], v[N];
  // CHECK-LABEL: int main(
  // CHECK-NOT: {{^}}#pragma omp target teams
  // CHECK: for (int i = 0; i < N; i++)
  for (int i = 0; i < N; i++)
    u[i] = v[i] = i * i % 17;
  // CHECK: {{^}}#pragma omp target update to(
#pragma omp target
  for (int t = 0; t < 5; t++) {
    relax(v, u);
    relax(u, v);
  }
  double sum = 0, most = 0;
#pragma omp target map(tofrom : sum)
#pragma omp parallel for reduction(+ : sum)
  // CHECK: {{^}}#pragma omp target teams distribute parallel for {{.*}}reduction(+: sum)
  for (int i = 0; i < N; i++)
    sum += u[i];
#pragma omp target teams distribute parallel for reduction(max : most)
  // CHECK: {{^}}#pragma omp target teams distribute parallel for {{.*}}reduction(max: most)
  for (int i = 0; i < N; i++)
    most = u[i] > most ? u[i] : most;
  // CHECK-NOT: {{^}}#pragma omp target teams
  for (int i = 0; i < N; i++)
    u[i] += v[i];
  printf("%g %g %g\n", sum, most, u[7]);
  return 0;
}
