// Pointers to whole arrays: of known shape, of a shape that variables give, and of memory that the skeleton has flat.
// RUN: %busfare port %s --kernels all -o %t.c
// RUN: sed -e '/\/\/ /d' -e :a -e '/\\$/N' -e 's/\\\n *//' -e ta %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %busfare port --variant present %s --kernels all -o %t.present.c
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.present.c -o %t.present
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.present | cmp - %t.want
// REQUIRES: gcc, offload
#include <stdio.h>
#include <stdlib.h>

static void *give(unsigned long count, int size) {
  void *memory = malloc(count * (unsigned long)size);
  if (!memory)
    exit(1);
  return memory;
}

static void start(int n, int m, double a[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = i * j;
}

static void next(int n, int m, double t[n][m], double a[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = a[i][j] + 1;
}

// The device holds elements 1 to 70 of w, in whole rows.
static void inside(int n, int m, double w[n][m], double a[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m - 1; j++)
      w[i][j] = a[i][j] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m - 1; j++)
      a[i][j] = w[i][j] + 1;
}

// The region begins in start, where nothing is called t or u.
// CHECK: int main(
// CHECK: __typeof__((&(*t)[0][0])[0]) *const busfare_t_0_0 = (&(*t)[0][0]);
// CHECK: #pragma omp target enter data {{.*}}map(alloc: busfare_t_0_0[0:72]) map(alloc: u[0:1]) map(alloc: busfare_w_0_0[0:72])
// CHECK: start(n, m, *a);
int main(void) {
  int n = 8, m = 9;
  double(*t)[n][m];
  t = (double(*)[n][m])give(72, sizeof(double));
  double(*u)[8][9] = (double(*)[8][9])give(72, sizeof(double));
  double(*a)[n][m];
  a = (double(*)[n][m])give(72, sizeof(double));
  double(*w)[n][m];
  w = (double(*)[n][m])give(72, sizeof(double));
  start(n, m, *a);
  inside(n, m, *w, *a);
  next(n, m, *t, *a);
  next(n, m, *u, *t);
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s = s * 0.5 + (*u)[i][j];
  printf("%g\n", s);
  free(t);
  free(u);
  free(a);
  free(w);
  return 0;
}
