// RUN: %busfare extract %s -- | FileCheck %s
// What the pointers in a table point to is one array, `a[]`.
#include <stdlib.h>

// CHECK: function smooth(param n, param m, array a, array b, array `b[]` by-reference, array `a[]` by-reference)
void smooth(int n, int m, double **a, double **b) {
  // CHECK: array `b[]` : f64[?][?] parameter rows at
  // CHECK: array `a[]` : f64[?][?] parameter rows at
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      // CHECK: read `a[]`[i - 1][j]
      // CHECK-NEXT: read `a[]`[i + 1][j]
      // CHECK-NEXT: write `b[]`[i][j]
      b[i][j] = a[i - 1][j] + a[i + 1][j];
}
// CHECK: function callers
void callers(int n, double **u, double **v) {
  smooth(n, n, u, v); // CHECK: call smooth(n, n, &u, &v, &`v[]`, &`u[]`)
  smooth(n, n, v, u); // CHECK: call smooth(n, n, &v, &u, &`u[]`, &`v[]`)
}

struct point { double *coord; float weight; };
// CHECK: function weigh
void weigh(int n, int d, struct point *p, double *out) {
  // CHECK: array `p[].coord` : f64[?][?] parameter rows at
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < d; j++)
      out[i] += p[i].coord[j]; // CHECK: read `p[].coord`[i][j]
    p[i].weight = 1; // CHECK: write p[i] part 8 + 4
  }
}

// A row's pointer in a variable, walking.
// CHECK: function walk
void walk(int n, int m, double **a) {
  for (int i = 0; i < n; i++) {
    double *row = a[i];
    for (int j = 0; j < m; j++) *row++ = 1; // CHECK: write `a[]`[i][j]
  }
  double *first = a[0], *second = &a[1][2];
  for (int j = 0; j < m; j++)
    second[j] = first[j]; // CHECK: read `a[]`[0][j.2]
                          // CHECK-NEXT: write `a[]`[1][j.2 + 2]
}

// Which row it is, memory says: any.
// CHECK: function gather
void gather(int n, int m, double **a, const int *row) {
  for (int i = 0; i < n; i++)
    a[row[i]][m] = 0; // CHECK: write `a[]`[? from row][m]
}

// Each row allocated by itself: nothing is assumed.
// CHECK: function owner
void owner(int n, int m) {
  // CHECK: array `a[]` : f64[n][m] heap distinct-rows
  double **a = malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++) a[i] = malloc(m * sizeof(double)); // CHECK: host allocation
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 1; // CHECK: write `a[]`[i.2][j]
  for (int i = 0; i < n; i++) free(a[i]); // CHECK: host allocation "free"
  free(a); // CHECK: free a
}
// CHECK: function triangle
void triangle(int n) {
  // CHECK: array `a[]` : f64[n][?] heap distinct-rows
  double **a = malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++) a[i] = calloc(i + 1, sizeof(double)); // CHECK: may write `a[]`[i][?]
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) a[i][j] += 1; // CHECK: update `a[]`[i.2][j] +
}
// CHECK: function cube
void cube(int n, int m, int k) {
  // CHECK: array `a[]` : ptr[n][m] heap distinct-rows
  // CHECK: array `a[][]` : f64[n][m][k] heap distinct-rows
  double ***a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++) {
    a[i] = malloc(m * sizeof **a);
    for (int j = 0; j < m; j++) a[i][j] = malloc(k * sizeof(double));
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = 0; l < k; l++) a[i][j][l] = 1; // CHECK: write `a[][]`[i.2][j.2][l]
}

// Allocated by another function, which returns the table or fills one.
static double **make(int n, int m) {
  double **r = malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++) r[i] = malloc(m * sizeof(double));
  return r;
}
static void fill(double **a, int n, int m) {
  for (int i = 0; i < n; i++) a[i] = malloc(m * sizeof(double));
}
// CHECK: function made
void made(int n) {
  // CHECK: array `u[]` : f64[n][2*n] heap distinct-rows
  // CHECK: array `w[]` : f64[n][?] heap distinct-rows
  double **u = make(n, 2 * n), **w = malloc(n * sizeof(double *));
  fill(w, n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) u[i][j] = w[i][j]; // CHECK: read `w[]`[i.2][j]
                                                   // CHECK: write `u[]`[i.2][j]
}

double **field;
static void setUp(int n, int m) { field = make(n, m); }
// CHECK: function sweep(param n, param m, array `field[]` by-reference)
static void sweep(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) field[i][j] = 1; // CHECK: write `field[]`[i][j]
}
// CHECK: function main
int main(void) {
  setUp(100, 200);
  sweep(100, 200);
  return 0;
}
// CHECK: finding BF041 remark {{.*}} "the rows of b are taken as one array b[]; it is assumed that they overlap neither each other
// CHECK: finding BF041 {{.*}} "the rows of a are taken as one array a[], each of them memory of its own.
