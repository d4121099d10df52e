// RUN: %busfare extract %s -- -std=c++20 | %FileCheck %s
// Containers are pointers with a size: elements are subscripts, sizes are symbols.
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

// CHECK-LABEL: function scale(array v by-reference, {{.*}}param `v.size()`)
void scale(std::vector<double> &v, double s) {
  // CHECK: array v : f64[`v.size()`] parameter
  // CHECK: for i = 0 .. `v.size()` - 1
  // CHECK: update v[i] *
  for (size_t i = 0; i < v.size(); ++i) v[i] *= s;
}

// Two sizes of one value change places: the size stays known, and the memory rotates.
// CHECK-LABEL: function relax(
// CHECK: alloc v[`u.size()`]
// CHECK: for t = 0 .. 9
// CHECK: rotate u <- v, v <- u
// CHECK: alloc out[`u.size()`]
void relax(std::vector<double> u, std::vector<double> &out, int n) {
  std::vector<double> v(u.size());
  for (int t = 0; t < 10; ++t) {
    for (int i = 1; i < n - 1; ++i) v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    std::swap(u, v);
  }
  out = u;
}

// CHECK-LABEL: function views(array a, array s, param `s.size()`)
void views(std::array<double, 64> &a, std::span<float> s) {
  // CHECK: array a : f64[64] parameter
  // CHECK: array m : f64[8][8] local
  std::array<std::array<double, 8>, 8> m{};
  // CHECK: read a[8*i + j]
  // CHECK: write m[i][j]
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) m[i][j] = a.at(i * 8 + j);
  // CHECK: for it{{.*}} = 0 .. `s.size()` - 1 range
  // CHECK: update s[it{{.*}}] *
  for (auto &x : s) x = 2 * x;
  // CHECK: for it{{.*}} = 0 .. `s.size()` - 1 at
  // CHECK: update s[it{{.*}}] +
  for (auto it = s.begin(); it != s.end(); ++it) *it += 1;
  // CHECK: write a[0]
  a.front() = m[1][2];
}

// CHECK-LABEL: function grow(
void grow(std::vector<int> &found, const double *x, int n) {
  // CHECK: host allocation "push_back" at
  // CHECK-NEXT: may read found[?]
  for (int i = 0; i < n; ++i)
    if (x[i] > 0) found.push_back(i);
  // CHECK: host allocation "resize" at
  // CHECK-NEXT: may read found[?]
  // CHECK: alloc found[n]
  // CHECK: may write found[? in 0 .. n - 1]
  found.resize(n);
  // CHECK: for i{{.*}} = 0 .. n - 1
  for (size_t i = 0; i < found.size(); ++i) found[i] = 0;
}

// CHECK-LABEL: function owner(
double owner(int n) {
  // CHECK: alloc p[n]
  auto p = std::make_unique<double[]>(n);
  for (int i = 0; i < n; i++) p[i] = i;
  // What is moved keeps its memory under the new name.
  // CHECK: read p[0]
  auto q = std::move(p);
  return q[0];
}

struct Field {
  std::vector<double> values;
  int nx;
  double &operator()(int i, int j) { return values[i * nx + j]; }
  // CHECK-LABEL: function Field::fill(
  // CHECK: write `this->values`[i*`this->nx` + j]
  void fill(int ny) {
    for (int i = 0; i < ny; i++)
      for (int j = 0; j < nx; j++) (*this)(i, j) = 1;
  }
  // CHECK-LABEL: function Field::setSize(
  // CHECK: alloc `this->values`[n]
  void setSize(int n) { values.resize(n); }
};

int main() {
  std::vector<double> a(100, 1.0);
  // CHECK-LABEL: function main
  // CHECK: alloc a[100]
  // CHECK: call scale(&a, &scale.s, 100)
  scale(a, 2);
  return 0;
}
