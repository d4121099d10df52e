// RUN: %busfare extract %s -- | FileCheck %s
// Rows that lie in one object are parts of it.
#include <stdlib.h>
void unseen(double **a);

// CHECK: function oneBlock
void oneBlock(int n, int m) {
  // CHECK: array `a[]` : f64[m*n] heap
  double **a = malloc(n * sizeof(double *));
  a[0] = malloc(n * m * sizeof(double));
  for (int i = 1; i < n; i++) a[i] = a[i - 1] + m;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 1; // CHECK: write `a[]`[i.2*m + j]
}
// CHECK: function fromFirst
void fromFirst(int n, int m) {
  double **a = malloc(n * sizeof(double *));
  a[0] = malloc(n * m * sizeof(double));
  for (int i = 1; i < n; i++) a[i] = a[0] + i * m;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 1; // CHECK: write `a[]`[i.2*m + j]
}
double A[100][50];
// CHECK: function rowsOf
void rowsOf(int n, int m, double *b) {
  double *row[100], **a = malloc(n * sizeof(double *));
  for (int i = 0; i < 100; i++) row[i] = A[i];
  for (int i = 0; i < n; i++) a[i] = b + i * m;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 50; j++) row[i][j] = 1; // CHECK: write A[i.3][j]
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 1; // CHECK: write b[i.4*m + j.2]
  a[1] = b;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 1; // CHECK: write `a[i]`[{{.*}}]
}
// A row is left out; another block; unseen code.
// CHECK: function gap
void gap(int n, int m) {
  double **a = malloc(n * sizeof(double *));
  a[0] = malloc(n * m * sizeof(double));
  for (int i = 2; i < n; i++) a[i] = a[i - 1] + m;
  for (int i = 0; i < n; i++) a[i][0] = 1; // CHECK: write `a[i]`[{{.*}}]
}
// The distance grows, and does so once for each row.
// CHECK: function growing
void growing(int n, int k, double *b) {
  double **a = malloc(n * sizeof(double *));
  a[0] = malloc(n * n * sizeof(double));
  for (int i = 1; i < n; i++) a[i] = a[i - 1] + k++;
  for (int i = 0; i < n; i++) a[i][0] = b[k]; // CHECK: read b[{{.*}}k + max(0, n - 1)]
                                              // CHECK-NEXT: write `a[i]`[?]
}
// CHECK: function either
void either(int n, int m, int k, double *x, double *y) {
  double **a = malloc(n * sizeof(double *));
  if (k) a[0] = x;
  else
    for (int i = 0; i < n; i++) a[i] = y + i * m;
  for (int j = 0; j < m; j++) a[0][j] = 1; // CHECK: write `a[0]`[{{.*}}]
}
// CHECK: function shown
void shown(int n, int m, double *b) {
  double **a = malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++) a[i] = b + i * m;
  unseen(a); // CHECK: host opaque "unseen"
             // CHECK: may write b[?]
  for (int i = 0; i < n; i++) a[i][0] = 1; // CHECK: write `a[i]`[{{.*}}]
}
