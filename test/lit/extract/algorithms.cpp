// RUN: %busfare extract %s -- -std=c++17 | %FileCheck %s
// An algorithm is the loop that it stands for.
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

// CHECK-LABEL: function maps(
void maps(std::vector<double> &v, std::vector<double> &w, const double *x, int n) {
  // CHECK: for it = 0 .. `v.size()` - 1 algorithm at [[@LINE+2]]:3 {
  // CHECK-NEXT: update v[it] *
  std::for_each(v.begin(), v.end(), [](double &e) { e *= 2; });
  // CHECK: read v[[[I:it[.0-9]*]]]
  // CHECK: write w{{\[}}[[I]]]
  std::transform(v.begin(), v.end(), w.begin(), [](double e) { return e * e; });
  // CHECK: read v[[[I:it[.0-9]*]]]
  // CHECK-NEXT: read w{{\[}}[[I]]]
  // CHECK: write w{{\[}}[[I]]]
  std::transform(v.begin(), v.end(), w.begin(), w.begin(), [](double a, double b) { return a + b; });
  // CHECK: for [[I:it[.0-9]*]] = 0 .. `w.size()` - 3 algorithm
  // CHECK-NEXT: write w{{\[}}[[I]] + 1]
  std::fill(w.begin() + 1, w.end() - 1, 0.0);
  // CHECK: for [[I:it[.0-9]*]] = 0 .. n - 1 algorithm
  // CHECK-NEXT: read x{{\[}}[[I]]]
  // CHECK-NEXT: write v{{\[}}[[I]]]
  std::copy(x, x + n, v.begin());
}

// CHECK-LABEL: function sums(
double sums(const std::vector<double> &v, const std::vector<double> &w) {
  // CHECK: write `accumulate (reduced)`
  // CHECK-NEXT: for [[I:it[.0-9]*]] = 0 .. `v.size()` - 1 algorithm
  // CHECK-NEXT: read v{{\[}}[[I]]]
  // CHECK-NEXT: update `accumulate (reduced)` +
  // CHECK: read `accumulate (reduced)`
  double t = std::accumulate(v.begin(), v.end(), 0.0);
  // CHECK: read v[[[I:it[.0-9]*]]]
  // CHECK-NEXT: read w{{\[}}[[I]]]
  // CHECK-NEXT: update `inner_product (reduced)` +
  double u = std::inner_product(v.begin(), v.end(), w.begin(), 0.0);
  // CHECK: update `accumulate (reduced).2` max
  double m = std::accumulate(v.begin(), v.end(), 0.0, [](double a, double b) { return std::max(a, b); });
  // A callable that is no known operator: the order matters.
  // CHECK: read `accumulate (reduced).3`
  // CHECK-NEXT: read v{{\[}}
  // CHECK-NEXT: ops fp64.add 1
  // CHECK-NEXT: write `accumulate (reduced).3`
  double d = std::accumulate(v.begin(), v.end(), 0.0, [](double a, double b) { return a - b; });
  return t + u + m + d;
}

// A std::function may hold anything; a lambda that combines may do more than combine.
// CHECK-LABEL: function unknown(
void unknown(std::vector<double> &v, double *b, int n, const std::function<void(double &)> &f) {
  // CHECK: host opaque "f"
  // CHECK: may write v[?]
  std::for_each(v.begin(), v.end(), f);
  // CHECK: write b[0]
  double s = std::accumulate(v.begin(), v.end(), 0.0, [&](double x, double y) {
    b[0] = y;
    return x + y;
  });
  v[0] = s;
}

// What a search finds is some element of the range: nothing else is touched, and the rest of the function is followed.
// CHECK-LABEL: function finds(
int finds(const int *rows, std::vector<double> &v, int n, int row) {
  // CHECK: read rows[?] at [[@LINE+1]]
  const int *at = std::lower_bound(rows, rows + n, row);
  // CHECK: read v[?] at [[@LINE+1]]
  std::vector<double>::iterator most = std::max_element(v.begin(), v.end());
  // CHECK: read v[?]
  // CHECK: write v[?]
  *most = *most + 1;
  // CHECK-NOT: host
  // CHECK: for i = 0 .. n - 1
  // CHECK: write v[i]
  for (int i = 0; i < n; i++) v[i] = 0;
  return *at;
}
