// RUN: %busfare extract %s -- -std=c++17 | %FileCheck %s
// A structured binding is one more name for a part of what it is bound to.
#include <utility>
struct Point {
  double x, y;
};
struct Field {
  double *data;
  int n;
};

// CHECK-LABEL: function references(
void references(Point *a, int n) {
  // CHECK: write a[i] part 0 + 8
  for (int i = 0; i < n; i++) {
    auto &[x, y] = a[i];
    x = 1;
  }
}
// CHECK-LABEL: function copies(
void copies(const Point *a, double *o, int n) {
  // CHECK: read a[i]
  // CHECK: write o[i]
  for (int i = 0; i < n; i++) {
    auto [x, y] = a[i];
    o[i] = x + y;
  }
}
// CHECK-LABEL: function fields(
void fields(double *a, int n) {
  Field whole{a, n};
  auto [p, m] = whole;
  // CHECK: for i = 0 .. n - 1
  // CHECK-NEXT: write a[i]
  for (int i = 0; i < m; i++) p[i] = 1;
}
// CHECK-LABEL: function counted(
void counted(double *a, int n) {
  Field whole{a, 0};
  auto &[p, m] = whole;
  // The binding changes the field.
  // CHECK: for i = 0 .. n - 1
  for (int i = 0; i < n; i++) m += 2;
  // CHECK: for i.2 = 0 .. 2*max(0, n) - 1
  for (int i = 0; i < whole.n; i++) a[i] = 1;
}
// CHECK-LABEL: function pairs(
void pairs(double *a, int n) {
  auto [p, m] = std::pair<double *, int>(a, n);
  // CHECK: write a[1]
  p[1] = 2;
  // CHECK: for i = 0 .. n - 1
  for (int i = 0; i < m; i++) a[i] = 1;
}
