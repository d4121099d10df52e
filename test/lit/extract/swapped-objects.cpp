// RUN: %busfare extract %s -- -std=c++17 | %FileCheck %s
// std::swap of two objects exchanges what their fields hold.
#include <utility>
#include <vector>
struct Grid {
  int nx, ny;
  std::vector<double> d;
  Grid(int nx, int ny) : nx(nx), ny(ny), d(nx * ny) {}
  double &operator()(int i, int j) { return d[i * ny + j]; }
};
// CHECK-LABEL: function exchanged(
void exchanged(int n) {
  Grid a(n, n), b(n, n);
  for (int t = 0; t < 10; t++) {
    // CHECK: read b.d[i*n + j]
    // CHECK-NEXT: write a.d[i*n + j]
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a(i, j) = b(i, j);
    // CHECK: rotate a.d <- b.d, b.d <- a.d
    std::swap(a, b);
  }
}
// CHECK-LABEL: function once(
void once(double *x, double *y) {
  struct View {
    double *p;
    int n;
  } a{x, 3}, b{y, 4};
  std::swap(a, b);
  // CHECK: for i = 0 .. 3
  // CHECK-NEXT: write y[i]
  for (int i = 0; i < a.n; i++) a.p[i] = 1;
}
// Members of classes are called as they are written: two of one name are two.
struct One {
  static int n;
};
struct Two {
  static int n;
};
int One::n = 3, Two::n = 4;
// CHECK-LABEL: function members(array a, param n
void members(double *a, int n) {
  One::n = 5;
  Two::n = 6;
  // CHECK: for i = 0 .. 4
  for (int i = 0; i < One::n; i++) a[i] = n;
}
