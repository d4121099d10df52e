// RUN: %busfare extract %s -- | FileCheck %s
// Rows have a name only as long as the pointers to them stay what they are.
#include <stdlib.h>
#include <string.h>
void unseen(double **a);
void unseenRow(double *row);
void unseenConst(double *const *a);

// CHECK: function exchange
void exchange(int n, double **a) {
  for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[]`[0][i]
  double *keep = a[0];
  a[0] = a[1]; // CHECK: write a[0]
  a[1] = keep;
  for (int i = 0; i < n; i++) a[0][i] = 2; // CHECK: write `a[0]`[{{.*}}]
}
// CHECK: function exchangeLater
void exchangeLater(int n, double **a) {
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[0]`[{{.*}}]
    double *keep = a[0];
    a[0] = a[1];
    a[1] = keep;
  }
}
// CHECK: function copy
void copy(int n, double **a, double **b) {
  memcpy(a, b, n * sizeof(double *));
  for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[0]`[{{.*}}]
}
// The other table may be the same one.
// CHECK: function other
void other(int n, double **a, double **b) {
  b[0] = a[1];
  for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[0]`[{{.*}}]
}
// CHECK: function either
void either(int n, double **a, double **b) {
  double **c = n > 5 ? a : b;
  c[0] = a[1];
  for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[0]`[{{.*}}]
}
// CHECK: function sometimes
void sometimes(int n, double **a, double *q) {
  if (n > 10) a[1] = q;
  for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[0]`[{{.*}}]
}
// CHECK: function onTheWayOut
void onTheWayOut(int n, double **a, double *q) {
  for (int i = 0; i < n; i++) {
    if (i == 3) {
      a[1] = q;
      break;
    }
    a[0][i] = 1; // CHECK: write `a[]`[0][i]
  }
  for (int i = 0; i < n; i++) a[0][i] = 2; // CHECK: write `a[0]`[{{.*}}]
}
void bump(double **a) { a[0]++; }
// CHECK: function byCallee
void byCallee(int n, double **a) {
  for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[]`[0][i]
  bump(a);
  for (int i = 0; i < n; i++) a[0][i] = 2; // CHECK: write `a[0]`[{{.*}}]
}
// CHECK: function byCalleeLater
void byCalleeLater(int n, double **a) {
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[0]`[{{.*}}]
    bump(a);
  }
}
// Who has a row can write that; who has the table, all rows and their pointers.
// CHECK: function calls
void calls(int n, double **a) {
  for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[]`[0][i]
  unseenRow(a[0]); // CHECK: host opaque "unseenRow"
                   // CHECK: may write `a[]`[?][?]
  for (int i = 0; i < n; i++) a[0][i] = 2; // CHECK: write `a[]`[0][i.2]
  unseen(a); // CHECK: host opaque "unseen"
             // CHECK: may write `a[]`[?][?]
  for (int i = 0; i < n; i++) a[0][i] = 3; // CHECK: write `a[0]`[{{.*}}]
}
// CHECK: function callsLater
void callsLater(int n, double **a) {
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[0]`[{{.*}}]
    unseen(a);
  }
}
// Before the rows are met: they are written all the same.
// CHECK: function callsFirst
void callsFirst(int n, double **a) {
  unseenConst(a); // CHECK: host opaque "unseenConst"
                  // CHECK: may write `a[]`[?][?]
  for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[]`[0][i]
}
// The same row twice, or rows that are set again.
// CHECK: function halves
void halves(int n, int m) {
  double **a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++) a[i / 2] = malloc(m * sizeof(double));
  for (int i = 0; i < n; i++) a[i][0] = 1; // CHECK: write `a[i]`[{{.*}}]
}
// CHECK: function twice
void twice(int n, int m) {
  double **a = malloc(n * sizeof *a);
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++) a[i] = malloc(m * sizeof(double));
  for (int i = 0; i < n; i++) a[i][0] = 1; // CHECK: write `a[i]`[{{.*}}]
}
// CHECK: function again
void again(int n, int m) {
  double **a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++) a[i] = malloc(m * sizeof(double));
  for (int i = 0; i < n; i++) a[i][0] = 1; // CHECK: write `a[]`[i.2][0]
  for (int i = 0; i < n; i++) a[i] = malloc(m * sizeof(double));
  for (int i = 0; i < n; i++) a[i][0] = 1; // CHECK: write `a[i]`[{{.*}}]
}
// Rows that are not set here, and some that are arrays with a name.
// CHECK: function unset
void unset(int n) {
  double *a[4];
  for (int i = 0; i < n; i++) a[0][i] = 1; // CHECK: write `a[0]`[{{.*}}]
}
double x[100], y[100], *table[2] = {x, y};
// CHECK: function tabled
void tabled(void) {
  for (int i = 0; i < 100; i++) table[0][i] = x[i]; // CHECK: write `table[0]`[?]
}
// What the caller has lost the callee does not find either.
void set(int n, double **a) {
  for (int i = 0; i < n; i++) a[0][i] = 1;
}
// CHECK: function gone
void gone(int n, double **a, double *q) {
  set(n, a); // CHECK: call set(n, &a, &`a[]`)
  a[0] = q;
  set(n, a); // CHECK: call set(n, &a, &?)
}
// Tables that change places: what lies behind them does not follow by name.
// CHECK: function rotated
void rotated(int n, double **u, double **v) {
  for (int t = 0; t < n; t++) {
    for (int i = 1; i < n; i++) v[i][0] = u[i - 1][0]; // CHECK: write `v[i]`[?]
    double **keep = u; // CHECK: rotate u <- v, v <- u
    u = v;
    v = keep;
  }
  u[0][0] = 1; // CHECK: write `u[0]`[0]
}
struct grid { double **u, **v; };
void flip(struct grid *g) {
  double **keep = g->u;
  g->u = g->v;
  g->v = keep;
}
// CHECK: function flipped
void flipped(int n, struct grid *g) {
  for (int i = 0; i < n; i++) g->u[i][0] = 1; // CHECK: write `g->u[]`[i][0]
  flip(g);
  for (int i = 0; i < n; i++) g->u[i][0] = 2; // CHECK: write `g->u[i]`[?]
}
// CHECK: function flipping
void flipping(int n, struct grid *g) {
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < n; i++) g->u[i][0] = 1; // CHECK: write `g->u[i]`[?]
    flip(g);
  }
}
// Once, in no loop, the pointers say which is which.
// CHECK: function straight
void straight(int n, double **u, double **v) {
  for (int i = 0; i < n; i++) u[i][0] = 1; // CHECK: write `u[]`[i][0]
  double **keep = u;
  u = v;
  v = keep;
  for (int i = 0; i < n; i++) u[i][0] = 2; // CHECK: write `v[]`[i.2][0]
}
