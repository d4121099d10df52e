// As few copies of a function as there can be: calls that need the same text share one, which is the function itself if nobody else
// calls it. A copy stands behind its original.
// RUN: %busfare port --kernels all %s -o %t.c
// RUN: sed -e '/\/\/ /d' %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// REQUIRES: gcc
#include <stdio.h>
#define N 500
static double u[N], v[N], w[N];

// Called twice, alike, and calls another that is called once in it: both in place.
// CHECK-NOT: _device
// CHECK: static void halve(double *x) {
// CHECK-NEXT: {{^}}#pragma omp target teams distribute parallel for
static void halve(double *x) {
  for (int i = 0; i < N; i++)
    x[i] *= 0.5;
}
// CHECK: static void step(double *to, const double *from) {
// CHECK-NEXT: {{^}}#pragma omp target teams distribute parallel for
// CHECK: halve(to);
static void step(double *to, const double *from) {
  for (int i = 1; i < N - 1; i++)
    to[i] = from[i - 1] + from[i + 1];
  halve(to);
}

// Somebody else needs it as it is: one copy, behind it.
// CHECK: static void add(double *to, const double *from, int n) {
// CHECK-NEXT: for (int i
// CHECK: static void [[COPY:add_device[0-9]*]](double *to, const double *from, int n) {
// CHECK-NEXT: {{^}}#pragma omp target teams distribute parallel for
// CHECK-NOT: static void add_device
static void add(double *to, const double *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] += from[i];
}

// CHECK: add(a, b, 3);
void onTheHost(double *a, const double *b) { add(a, b, 3); }

// CHECK: {{^}}int main
// CHECK: [[COPY]](w, u, N);
// CHECK-NEXT: [[COPY]](w, v, N);
int main(void) {
  int seed = 1;
  for (int i = 0; i < N; i++) {
    seed = (seed * 211 + 7) % 1009;
    u[i] = seed;
  }
  for (int t = 0; t < 4; t++) {
    step(v, u);
    step(u, v);
    add(w, u, N);
    add(w, v, N);
  }
  for (int i = 0; i < N; i++)
    printf("%g ", w[i]);
  return 0;
}
