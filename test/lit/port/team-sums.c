// What a kernel adds up along a row the threads of a team share. Device code of clang 19 leaves unset what a team shares of a
// pointer to rows of any length: such a pointer is declared again in the kernel, where one thread of the team uses it.
// RUN: %busfare port %s --kernels all -o %t.c
// RUN: sed -e '/\/\/ /d' -e :a -e '/\\$/N' -e 's/\\\n *//' -e ta %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %busfare port --variant present %s --kernels all -o %t.present.c
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.present.c -o %t.present
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.present | cmp - %t.want
// RUN: %clang -w -S -emit-llvm -O1 -Xclang -disable-llvm-passes -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch=sm_90 -nogpulib --offload-device-only %t.c -o %t.ll
// RUN: %python %S/Inputs/shared_memory.py %t.ll | %FileCheck %s --check-prefix=DEVICE
// DEVICE: 0 never set
// REQUIRES: gcc, offload
#include <stdio.h>
#include <stdlib.h>

// CHECK-LABEL: static void one(
// CHECK: #pragma omp target teams distribute map
// CHECK-NEXT: for (int i
// CHECK: __typeof__(y[i]) busfare_sum_y = 0 < n ? y[i] : 0;
// CHECK-NEXT: #pragma omp parallel for reduction(+: busfare_sum_y) firstprivate(a, i, n, x)
// CHECK-NEXT: for (int j
// CHECK-NEXT: busfare_sum_y = busfare_sum_y + a[i * n + j] * x[j];
// CHECK-NEXT: if (0 < n)
// CHECK-NEXT: y[i] = busfare_sum_y;
static void one(int n, const double *restrict a, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] = y[i] + a[i * n + j] * x[j];
}

// Two sums in a loop, and elements that are set in front of it and used behind it.
// CHECK-LABEL: static void two(
// CHECK: #pragma omp parallel for reduction(+: busfare_sum_t, busfare_sum_y) firstprivate(a, b, i, n, x)
static void two(int n, double a[n][n], double b[n][n], double x[n], double y[n], double t[n]) {
  for (int i = 0; i < n; i++) {
    t[i] = 0;
    y[i] = 0;
    for (int j = 0; j < n; j++) {
      t[i] = a[i][j] * x[j] + t[i];
      y[i] += b[i][j] * x[j];
    }
    y[i] = 2 * t[i] + 3 * y[i];
  }
}

// A variable of the iteration, and what all iterations add up beside it.
// CHECK-LABEL: static int above(
// CHECK: #pragma omp target teams distribute map({{.*}}) reduction(+: count) map(tofrom: count)
// CHECK: #pragma omp parallel for reduction(+: above) firstprivate(d, n, own, r)
static int above(int n, const int *restrict d, const int *restrict l) {
  int count = 0;
  for (int r = 0; r < n; r++) {
    int own = d[r * n + l[r]], above = 0;
    for (int c = 0; c < n; c++)
      if (d[r * n + c] > own)
        ++above;
    if (above < 10)
      count++;
  }
  return count;
}

// Rows of any length, beside the loop and in its sum.
// CHECK-LABEL: static void diagonal(
// CHECK: for (int i
// CHECK: __typeof__(c) busfare_c = c;
// CHECK: __typeof__(busfare_c[i][i]) busfare_sum_c = 0 < n ? busfare_c[i][i] : 0;
// CHECK: busfare_sum_c += a[i][k];
// CHECK: busfare_c[i][i] = busfare_sum_c;
// CHECK: busfare_c[i][0] += busfare_c[i][i];
static void diagonal(int n, double c[restrict n][n], double a[n][n]) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++)
      c[i][i] += a[i][k];
    c[i][0] += c[i][i];
  }
}

// A variable from outside of the kernel, and a loop inside one that is no kernel.
// CHECK-LABEL: static void lower(
// CHECK: #pragma omp target teams distribute {{.*}}private(t)
// CHECK: #pragma omp parallel for reduction(+: t)
static void lower(int n, double a[n][n], double x[n]) {
  double t;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++) {
      t = 0;
      for (int j = 0; j < i; j++)
        t += a[i][j] * k;
      x[i] = t + a[i][0];
    }
    printf("%g ", x[n - 1]);
  }
}

// In the first iteration there is no element: no loop runs that would touch it.
// CHECK-LABEL: static void before(
// CHECK: if (0 < i)
// CHECK-NEXT: y[i - 1] = busfare_sum_y;
static void before(int n, const unsigned char *restrict d, unsigned char *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      y[i - 1] += d[j];
}

// The element is another in each iteration, or is touched in some alone, or the sum is looked at on the way: a thread a row.
// CHECK-LABEL: static void others(
// CHECK-NOT: #pragma omp parallel for
// CHECK-LABEL: int main(
static void others(int n, const int *restrict d, int *restrict s, int *restrict u) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (j + i > 2)
        u[i] += d[j];
  for (int i = 0; i < n; i++) {
    for (int j = 1; j < n; j++)
      s[i * n + d[i * n + j] % n] += d[i * n + j];
    for (int j = 0; j < n; j++) {
      u[i] += d[i * n + j];
      if (u[i] > 1000)
        u[i] = 0;
    }
  }
}

int main(void) {
  int n = 300;
  double (*a)[n] = malloc(sizeof(double[n][n])), (*b)[n] = malloc(sizeof(double[n][n])), (*c)[n] = malloc(sizeof(double[n][n]));
  double *x = malloc(8 * n), *y = malloc(8 * n), *t = malloc(8 * n);
  int *d = malloc(4 * n * n), *l = malloc(4 * n), *s = calloc(n * n, 4), *u = calloc(n, 4);
  for (int i = 0; i < n; i++) {
    x[i] = i % 7, y[i] = i, l[i] = i * 31 % n;
    for (int j = 0; j < n; j++) {
      a[i][j] = (i * j) % 11, b[i][j] = (i + j) % 5, c[i][j] = 0;
      d[i * n + j] = (i * 37 + j * 101) % 1000;
    }
  }
  one(n, &a[0][0], x, y);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * (i % 3);
  two(n, a, b, x, y, t);
  for (int i = 0; i < n; i++)
    sum += y[i] * (i % 3);
  diagonal(n, c, a);
  for (int i = 0; i < n; i++)
    sum += c[i][i] + c[i][0];
  unsigned char *v = calloc(n - 1, 1), *w = calloc(n, 1);
  for (int i = 0; i < n; i++)
    w[i] = 100 + i % 9;
  before(n, w, v);
  others(n, d, s, u);
  long all = 0;
  for (int i = 0; i < n * n; i++)
    all += s[i] % 7;
  for (int i = 0; i < n; i++)
    all += u[i];
  for (int i = 0; i < n - 1; i++)
    all += v[i] * (i % 5);
  printf("%.10g %d %ld\n", sum, above(n, d, l), all);
  lower(n, a, x);
  free(a), free(b), free(c), free(x), free(y), free(t), free(d), free(l), free(s), free(u), free(v), free(w);
}
