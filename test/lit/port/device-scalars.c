// Numbers that only statements on one thread of the device use live there: none of them crosses.
// RUN: %busfare port --kernels all --one-thread %s -o %t.c
// RUN: sed -e '/\/\/ /d' %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %busfare port --kernels all --one-thread --variant present %s -o %t.present.c
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.present.c -o %t.present
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.present | cmp - %t.want
// REQUIRES: gcc, offload
#include <stdio.h>
#include <stdlib.h>

// `shown` is printed, `late` declared with a value.
// Its calls all need the same: one function, in place.
// CHECK: static void step(double *u, const double *v, int n, int t) {
// CHECK: double delta;
// CHECK-NEXT: #pragma omp target enter data map(alloc: delta)
// CHECK: #pragma omp target map(alloc: delta, u[0:4000], v[0:4000]) map(tofrom: late, shown)
// CHECK-NEXT: {
// CHECK: #pragma omp target map(alloc: delta, u[0:4000], v[0:4000])
// CHECK-NOT: map(tofrom
// CHECK: printf
// CHECK: #pragma omp target exit data map(delete: delta)
// CHECK-NEXT: }
static void step(double *u, const double *v, int n, int t) {
  double delta;
  double shown, late = 1;
  if (v[0] > 0.5)
    delta = v[1] - t;
  else
    delta = v[2];
  shown = delta * 3;
  late += delta;
  u[0] = v[0] + delta * late;
  delta = delta * 2;
  for (int i = 1; i < n; i++)
    u[i] = v[i] + v[i - 1];
  u[n - 1] = v[n - 1] - delta;
  if (t == 3)
    printf("%.6g\n", shown);
}

// The directive's threads would have a `gap` of their own each; one thread does as well without.
// CHECK: static void rims(float *u, int n, int parts) {
// CHECK-NOT: parallel for num_threads(1)
// CHECK: float gap;
// CHECK-NEXT: #pragma omp target enter data map(alloc: gap)
// CHECK: {{^ }}for (int k
// CHECK: #pragma omp target map(alloc: gap
static void rims(float *u, int n, int parts) {
  float gap;
#pragma omp parallel for private(gap) shared(u, n) schedule(static)
  for (int k = 0; k < parts; k++) {
    if (k == 0)
      gap = u[0];
    else
      gap = u[k * 10 - 1] / 2;
    u[k * 10] += gap;
    for (int i = 1; i < n; i++)
      u[k * 10 + i % 10] += i % 10 ? 0.25f : 0;
  }
}

// A jump may come in past the declaration.
// CHECK: static void past(
// CHECK-NOT: data map(alloc: d)
// CHECK-LABEL: int main(
static void past(double *a, double *u, int n, int k) {
  for (int i = 0; i < n; i++)
    a[i] += i;
  {
    if (k)
      goto L;
    a[1] += 2;
    double d;
  L:
    d = a[0] * 2;
    for (int i = 1; i < n; i++)
      u[i] = a[i] + a[i - 1];
    u[0] = d + 1;
  }
}

int main(void) {
  enum { N = 4000 };
  double *u = malloc(N * sizeof *u), *v = malloc(N * sizeof *v);
  static float w[100];
  for (int i = 0; i < N; i++)
    u[i] = v[i] = i % 10 / 10.0;
  for (int t = 0; t < 6; t++) {
    step(u, v, N, t);
    step(v, u, N, t);
  }
  for (int t = 0; t < 3; t++)
    rims(w, 100, 10);
  for (int t = 0; t < 4; t++)
    past(u, v, 1000, t % 2);
  double s = 0;
  for (int i = 0; i < N; i++)
    s = s * 0.9 + v[i];
  for (int i = 0; i < 100; i++)
    s = s * 0.9 + w[i];
  printf("%.9g\n", s);
  free(u);
  free(v);
  return 0;
}
