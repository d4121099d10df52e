// RUN: %busfare extract %s -- 2>&1 | FileCheck %s
// Calls: in place, followed, and opaque.
#include <math.h>
#include <stdio.h>
static inline int idx(int i, int j, int n) { return i * n + j; }
void unknown(double *a, const double *b);
double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += sqrt(x[i]); // CHECK: fp64.special 1
  return s;
}
void f(double *a, double *b, int n) {
  for (int i = 0; i < n; i++)
    a[idx(i, 2, n)] = 0; // CHECK: write a[i*n + 2]
  unknown(a, b);         // CHECK: host opaque "unknown"
                         // CHECK-NEXT: may read a[?]
                         // CHECK-NEXT: may write a[?]
                         // CHECK-NEXT: may read b[?]
                         // CHECK-NEXT: }
  double s = norm(a + n, 5); // CHECK: call norm(&a + n, 5)
  printf("%f\n", s);         // CHECK: host io "printf"
}
void again(double *a, int n) {
  if (n == 0) return;
  a[n] = 0;
  again(a, n - 1); // CHECK: host recursion "again"
}
// CHECK: BF003
