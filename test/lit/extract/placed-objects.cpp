// RUN: %busfare extract %s | %FileCheck %s
// An object that is made where another lies has the new one's fields.
#include <new>
struct Part { int n; double *q; Part(int k, double *z) : n(k), q(z) {} };
struct Plain { int n; double *q; };
double a[100], b[100];
// CHECK-LABEL: function use(
void use() {
  Part s(5, b);
  new (&s) Part(40, b + 3);
  for (int i = 0; i < s.n; i++) s.q[i] += 1; // CHECK: for i = 0 .. 39
  // CHECK-NEXT: update {{.*}}b[i + 3]
  Plain t{5, b};
  new (&t) Plain{60, a};
  for (int i = 0; i < t.n; i++) t.q[i] += 1; // CHECK: for i.2 = 0 .. 59
  // CHECK-NEXT: update {{.*}}a[i.2]
}
