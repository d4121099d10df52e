// RUN: %busfare extract %s -- | FileCheck %s
// What a copy reads stays in the loop that writes; memmove reads before it overwrites.
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
