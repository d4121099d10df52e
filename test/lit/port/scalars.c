// Reductions, last values, private scalars and rows, sizes that are fields, a call on two paths.
// RUN: %busfare port %s -o %t.c
// RUN: sed -e '/\/\/ /d' -e :a -e '/\\$/N' -e 's/\\\n *//' -e ta %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.c -o %t.clang
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.clang | cmp - %t.want
// RUN: %busfare port --variant present %s -o %t.present.c
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.present.c -o %t.present
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.present | cmp - %t.want
// REQUIRES: gcc, offload
#include <stdio.h>

#define N 300

struct grid {
  int nx;
};

static int a[N], b[N], table[N][8];

// Both calls need the same: it is changed in place.
// CHECK-NOT: scale_device
// CHECK: {{^}}static void scale(int *x
// CHECK: {{^}}#pragma omp target
static void scale(int *x, int n, int factor) {
  for (int i = 0; i < n; i++)
    x[i] *= factor;
}

// CHECK: static void fill(
// CHECK: const int busfare_end_i = g->nx;
static void fill(const struct grid *g, long *cells) {
  for (int i = 0; i < g->nx; i++)
    cells[i] = b[i];
}

int main(void) {
  static struct grid grid;
  long cells[N];
  int t, last = 0, i;
  long sum = 0;
  grid.nx = N;
  for (i = 0; i < N; i++)
    a[i] = i * 37 % 101;
  // CHECK: {{^}}#pragma omp target teams distribute parallel for {{.*}}private(t)
  for (i = 0; i < N; i++) {
    t = a[i] * a[i];
    b[i] = t - i;
  }
  scale(a, N, 3);
  // CHECK: {{^}}#pragma omp target teams distribute parallel for {{.*}}reduction({{.*}}sum)
  for (i = 0; i < N; i++)
    sum += (long)a[i] * b[i];
  // CHECK: {{^}}#pragma omp target teams distribute parallel for {{.*}}lastprivate({{.*}}last)
  for (i = 0; i < N; i++) {
    last = a[i] + 5;
    b[i] += last;
  }
  printf("%ld %d %d\n", sum, last, i);
  scale(b, N / 2, 2);
  for (i = 0; i < N; i++)
    for (int j = 0; j < 8; j++)
      table[i][j] = b[i] + j * a[i];
  for (i = 0; i < N; i++) {
    long row = 0;
    for (int j = 0; j < 8; j++)
      row += table[i][j];
    b[i] = (int)row;
  }
  fill(&grid, cells);
  for (i = 0; i < N; i += 23)
    printf("%d %ld %d\n", b[i], cells[i], table[i][3]);
  return 0;
}
