// RUN: %busfare extract %s -- | FileCheck %s
// What a copy reads stays in the loop that writes; memmove reads before it overwrites.
#include <stdlib.h>
#include <string.h>
void shapes(double a[8][4], double *b, const double *unknown, int n) {
  // CHECK-LABEL: function shapes
  // CHECK: for it = 0 .. 7 algorithm
  // CHECK-NEXT: for it.2 = 0 .. 3 algorithm
  // CHECK-NEXT: read b[4*it + it.2]
  // CHECK-NEXT: write a[it][it.2]
  memcpy(a, b, 32 * sizeof(double));
  // CHECK: for it.3 = 0 .. 7 algorithm
  // CHECK-NEXT: for it.4 = 0 .. 3 algorithm
  // CHECK-NEXT: read a[it.3][it.4]
  // CHECK-NEXT: write b[4*it.3 + it.4 + 2]
  memcpy(b + 2, a, 32 * sizeof(double));
}
void unknownSource(double *a, double *b, double *c, int pick) {
  // CHECK-LABEL: function unknownSource
  const double *from = pick ? a : b;
  // CHECK: for it = 0 .. 6 algorithm
  // CHECK-NEXT: may read
  // CHECK-NOT: }
  // CHECK: write c[it]
  memcpy(c, from, 7 * sizeof(double));
}
void moved(double *a, int n, int by) {
  // CHECK-LABEL: function moved
  // CHECK: for it = n - 2 .. 0 step -1 algorithm
  // CHECK-NEXT: read a[it]
  // CHECK-NEXT: write a[it + 1]
  memmove(a + 1, a, (n - 1) * sizeof(double));
  // CHECK: for it.2 = 0 .. n - 2 algorithm
  // CHECK-NEXT: read a[it.2 + 1]
  // CHECK-NEXT: write a[it.2]
  memmove(a, a + 1, (n - 1) * sizeof(double));
  // CHECK: for it.3 = 0 .. n - 3 algorithm
  // CHECK-NEXT: may read a[?]
  // CHECK-NEXT: write a[by + it.3]
  memmove(a + by, a, (n - 2) * sizeof(double));
}
void parts(double *a, double *x, const char *raw) {
  // CHECK-LABEL: function parts
  double whole, half = 0;
  // CHECK: write whole
  memcpy(&whole, raw, sizeof whole);
  // CHECK: may write half
  memcpy(&half, raw, 4);
  *x = whole + half;
}
// Before memory has a type it is measured in bytes: which of its elements that were is not known.
double untyped(int n) {
  // CHECK-LABEL: function untyped
  // CHECK: alloc p[n] at
  // CHECK-NOT: for
  // CHECK: may write p[?] at
  void *p = malloc(8 * n);
  memset(p, 0, n);
  double *q = p;
  return q[n / 2];
}
void fill(int m, char (*t)[100]);
void use(void *);
int untyped_rows(int m) {
  // CHECK-LABEL: function untyped_rows
  // CHECK: array t : i8[{{.*}}][100] heap
  // CHECK: host opaque "use"
  // CHECK-NEXT: may read t[?][?] at
  // CHECK-NEXT: may write t[?][?] at
  char (*t)[100] = (char (*)[100])malloc(100 * m);
  use(t);
  t[0][1] = 2;
  return t[m - 1][2];
}
