// RUN: %busfare extract --quiet %s | %FileCheck %s
//
// What makes a static local runs in the first call only: behind its declaration it is as this made it, or as the last call left it.
// A static reference leads where it did in the first call.
#include <cstdlib>
struct Buffer {
  int size;
  double *data;
  explicit Buffer(int n) : size(n), data(static_cast<double *>(std::malloc(n * sizeof(double)))) {}
};
// CHECK-LABEL: function first(
// CHECK: if ? at
// CHECK-NEXT: read x[0]
// CHECK: write scale[it]
// CHECK: for i = 0 .. n - 1
double first(int n, const double *x) {
  static double scale[2] = {x[0], x[1] * n};
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * scale[0];
  return sum;
}
// CHECK-LABEL: function smooth(
// CHECK: array left : f64[?] alias {{.*}}likely(u
// CHECK: if ? at
// CHECK: call Buffer::Buffer(n
// CHECK-NOT: opaque
// CHECK: write work.data[i]
// CHECK: read left[0]
void smooth(int n, double *u) {
  static Buffer work(n);
  static double &left = u[0];
  for (int i = 0; i < n; i++) work.data[i] = u[i];
  for (int i = 1; i < n - 1; i++) u[i] = 0.5 * (work.data[i - 1] + work.data[i + 1]) + left;
}
// What a reference or a lambda is bound to it keeps from the first call: neither is what it would be now.
struct Binder {
  double &ref;
  explicit Binder(double &r) : ref(r) {}
};
// CHECK-LABEL: function bound(
// CHECK: host opaque "b"
// CHECK-NOT: write u[n - 1]
// CHECK: write b.ref
void bound(int n, double *u) {
  static Binder b(u[n - 1]);
  b.ref = 7;
}
// CHECK-LABEL: function captured(
// CHECK: host opaque "lambda"
// CHECK-NOT: read u[n - 1]
double captured(int n, double *u) {
  static auto last = [n](double *p) { return p[n - 1]; };
  return last(u);
}
