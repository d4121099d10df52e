// Loops inside a kernel that the threads of a team share, sums into arrays that memory adds up one at a time, and sums over
// two loops.
// RUN: %busfare port %s --kernels all -o %t.c
// RUN: sed -e '/\/\/ /d' -e :a -e '/\\$/N' -e 's/\\\n *//' -e ta %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %busfare port --variant present %s --kernels all -o %t.present.c
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.present.c -o %t.present
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.present | cmp - %t.want
// REQUIRES: gcc, offload
#include <stdio.h>

enum { N = 64, Bins = 40, Wide = 10000 };
static int keys[N * N], wide[N * Wide];

// Neighbours in j touch neighbours; in i, rows.
// CHECK-LABEL: static void product(
// CHECK: #pragma omp target teams distribute map
// CHECK-NEXT: for (int i
// CHECK-NEXT: #pragma omp parallel for firstprivate(c, i, n)
// CHECK-NEXT: for (int j
// CHECK: for (int k
// CHECK-NEXT: #pragma omp parallel for firstprivate(a, b, c, i, k, n)
// CHECK-NEXT: for (int j
static void product(int n, const int *a, const int *b, int *restrict c) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      c[i * n + j] *= 2;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}

// Variables from outside that a thread sets, an index among them, and a triangle.
// CHECK-LABEL: static void halves(
// CHECK: #pragma omp target teams distribute map({{.*}}) private(j, k, t)
// CHECK: #pragma omp parallel for private(k, t) firstprivate(c, i, n)
// CHECK: #pragma omp parallel for firstprivate(c, i, n)
static void halves(int n, int *c) {
  int i, j, k, t;
  for (i = 0; i < n; i++) {
    for (j = 0; j <= i; j++) {
      t = 0;
      for (k = 0; k < 3; k++)
        t += i * k;
      c[i * n + j] += t;
    }
    for (j = i + 1; j < n; j++)
      c[i * n + j] -= i;
  }
}

// Many neighbouring columns: a thread for each is what touches neighbours, and there are enough of them.
// CHECK: #pragma omp target teams distribute parallel for
// CHECK-NOT: #pragma omp parallel for
// CHECK-LABEL: static void windows(
static void columns(int n, int m, int *restrict c, const int *a) {
  for (int j = 0; j < m; j++) {
    int first = a[j];
    for (int i = 0; i < n; i++)
      c[i * m + j] += first;
  }
}

// An array of the iteration is no value.
// CHECK: #pragma omp target teams distribute parallel for
// CHECK-NOT: #pragma omp parallel for
// CHECK-LABEL: static void count(
static void windows(int n, int *restrict c) {
  for (int i = 0; i < n; i++) {
    int own[N];
    for (int j = 0; j < N; j++)
      own[j] = i * j;
    for (int j = 0; j < n; j++)
      c[i * n + j] ^= own[j];
  }
}

// CHECK: #pragma omp target teams distribute parallel for
// CHECK-NOT: reduction
// CHECK: #pragma omp atomic update
// CHECK-NEXT: bins[keys[i]]++;
// CHECK: #pragma omp atomic update
// CHECK-NEXT: bins[keys[i] / 2] = bins[keys[i] / 2] - i;
// CHECK-LABEL: static void least(
static void count(int n, int *restrict bins) {
  for (int i = 0; i < n; i++) {
    bins[keys[i]]++;
    if (i % 3)
      bins[keys[i] / 2] = bins[keys[i] / 2] - i;
  }
}

// Neither what is no update of OpenMP's, nor a handful of elements.
// CHECK: reduction(min: bins[
// CHECK-LABEL: static void few(
static void least(int n, int *restrict bins) {
  for (int i = 0; i < n; i++)
    bins[keys[i]] = bins[keys[i]] < i ? bins[keys[i]] : i;
}

// CHECK: reduction(+: busfare_sums[0:4])
static int sums[4];
static void few(int n) {
  for (int i = 0; i < n; i++)
    sums[keys[i] % 4] += i;
}

// Two names, of which one is updated in a macro: neither is atomic.
// CHECK-LABEL: static void twice(
// CHECK-NOT: atomic
#define ADD(to, at, what) to[at] += what
static void twice(int n, int *bins) {
  int *other = bins;
  for (int i = 0; i < n; i++) {
    bins[keys[i]]++;
    ADD(other, keys[i] / 2, 3);
  }
}

// What all iterations add up, both loops do together.
// CHECK-LABEL: static int allOf(
// CHECK: collapse(2){{.*}} reduction(+: all)
static int allOf(int n, const int *a) {
  int all = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      all += a[i * n + j];
  return all;
}

// CHECK-LABEL: static void sumOfRows(
// CHECK-NOT: collapse
// CHECK-LABEL: int main(
static void sumOfRows(int n, const int *a, int *restrict sums) {
  for (int i = 0; i < n; i++) {
    int all = 0;
    for (int j = 0; j < n; j++)
      all += a[i * n + j];
    sums[i] = all;
  }
}

int main(void) {
  static int a[N * N], b[Wide], c[N * N], total[N], bins[Bins];
  for (int i = 0; i < N * N; i++) {
    a[i] = i % 7;
    b[i] = i % 5;
    c[i] = i;
    keys[i] = i * 13 % Bins;
  }
  product(N, a, b, c);
  halves(N, c);
  columns(N, Wide, wide, b);
  windows(N, c);
  count(N * N, bins);
  least(N * N, bins);
  few(N * N);
  twice(N * N, bins);
  unsigned all = (unsigned)allOf(N, c);
  sumOfRows(N, c, total);
  for (int i = 0; i < N * N; i++)
    all = 3 * all + (unsigned)c[i];
  for (int i = 0; i < N * Wide; i++)
    all = 3 * all + (unsigned)wide[i];
  for (int i = 0; i < N; i++)
    all = 3 * all + (unsigned)total[i];
  for (int i = 0; i < Bins; i++)
    all = 3 * all + (unsigned)bins[i];
  for (int i = 0; i < 4; i++)
    all = 3 * all + (unsigned)sums[i];
  printf("%u\n", all);
  return 0;
}
