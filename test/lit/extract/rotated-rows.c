// Tables of pointers that change places take their rows along, or the blocks that the pointers lead into.
// RUN: %busfare extract %s | %FileCheck %s
#include <stdlib.h>

static double **grid(int n, int m) {
  double **rows = malloc(n * sizeof *rows);
  rows[0] = malloc(n * m * sizeof(double));
  for (int i = 1; i < n; i++) rows[i] = rows[0] + i * m;
  return rows;
}

static void step(double **u, double **v) {
  for (int i = 1; i < 19; i++)
    for (int j = 1; j < 29; j++) v[i][j] = u[i - 1][j] + u[i + 1][j];
}

int separate(void) {
  double **u = malloc(20 * sizeof *u), **v = malloc(20 * sizeof *v);
  for (int i = 0; i < 20; i++) {
    u[i] = malloc(30 * sizeof(double));
    v[i] = malloc(30 * sizeof(double));
  }
  for (int t = 0; t < 10; t++) {
    step(u, v);
    double **w = u;
    u = v;
    v = w;
  }
  return u[3][4] > v[3][4];
}
// CHECK-LABEL: function separate(
// CHECK: call step(&u, &v, &`v[]`, &`u[]`)
// CHECK-NEXT: rotate u <- v, v <- u
// CHECK-NEXT: rotate `u[]` <- `v[]`, `v[]` <- `u[]`
// CHECK: read `u[]`[3][4]
// CHECK-NEXT: read `v[]`[3][4]

int blocks(int n) {
  double **u = grid(n, 30), **v = grid(n, 30);
  for (int t = 0; t < 10; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < 29; j++) v[i][j] = u[i - 1][j] + u[i + 1][j];
    double **w = u;
    u = v;
    v = w;
  }
  return u[3][4] > 0;
}
// CHECK-LABEL: function blocks(
// CHECK-DAG: array `u[]` : f64[30*n] heap
// CHECK-DAG: array `v[]` : f64[30*n] heap
// CHECK: write `v[]`[30*i{{.*}} + j{{.*}}]
// CHECK: rotate u <- v, v <- u
// CHECK-NEXT: rotate `u[]` <- `v[]`, `v[]` <- `u[]`
// CHECK: read `u[]`[94]

// Rows of different lengths cannot take each other's names.
int unlike(int n) {
  double **u = malloc(20 * sizeof *u), **v = malloc(20 * sizeof *v);
  for (int i = 0; i < 20; i++) u[i] = malloc(30 * sizeof(double));
  for (int i = 0; i < 20; i++) v[i] = malloc(40 * sizeof(double));
  for (int t = 0; t < n; t++) {
    for (int i = 1; i < 19; i++) v[i][3] = u[i][4];
    double **w = u;
    u = v;
    v = w;
  }
  return u[3][4] > 0;
}
// CHECK-LABEL: function unlike(
// CHECK: rotate u <- v, v <- u
// CHECK-NOT: rotate `u[]`
// CHECK: read `u[3]`[4]

// Names that the caller's variables keep do not follow a copy of them.
int copies(double **u, double **v, int n) {
  for (int t = 0; t < n; t++) {
    for (int i = 1; i < 19; i++) v[i][3] = u[i][4];
    double **w = u;
    u = v;
    v = w;
  }
  return u[3][4] > 0;
}
// CHECK-LABEL: function copies(
// CHECK-NOT: rotate `u[]`
// CHECK: finding
