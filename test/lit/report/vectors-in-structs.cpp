// A sparse matrix in vectors, filled through a map and a set, sorted, and handed on by functions that change what it holds: once it
// is there, it crosses once for all products.
// RUN: %busfare analyze %s 2>/dev/null | %FileCheck %s
// CHECK: What crosses the bus
// CHECK-NOT: 5x
// CHECK: m.columns h2d 1x
// CHECK-NOT: 5x
// CHECK: m.starts h2d 1x
// CHECK-NOT: 5x
// CHECK: m.values h2d 1x
// CHECK-NOT: 5x
// CHECK: x.values h2d 1x
// CHECK-NOT: 5x
// CHECK: In all:
// CHECK: {{line |:}}[[#@LINE+48]] 5 {{.*}}launch overhead
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <vector>
struct Matrix {
  Matrix() : starts(), columns(), values() {}
  std::vector<int> starts, columns;
  std::vector<double> values;
  void reserve(int n) {
    starts.resize(n + 1);
    columns.reserve(n * 4);
    values.reserve(n * 4);
  }
};
struct Vector {
  std::vector<double> values;
  explicit Vector(int n) : values(n, 1.0) {}
};
static void fill(Matrix &m, const std::map<int, int> &number, int n) {
  m.reserve(n);
  int at = 0;
  for (int i = 0; i < n; i++) {
    m.starts[i] = at;
    for (int k = -1; k <= 1; k++) {
      auto found = number.find(i + 3 * k);
      if (found == number.end()) continue;
      m.columns.push_back(found->second);
      m.values.push_back(k == 0 ? 4.0 : -1.0 / (i + 2));
      at++;
    }
    if (at > m.starts[i]) std::sort(m.columns.begin() + m.starts[i], m.columns.begin() + at);
  }
  m.starts[n] = at;
}
static void fix(Matrix &m, Vector &b, const std::set<int> &rows, double value) {
  for (auto at = rows.begin(); at != rows.end(); ++at) {
    b.values[*at] = value;
    for (int k = m.starts[*at]; k < m.starts[*at + 1]; k++) m.values[k] = m.columns[k] == *at ? 1.0 : 0.0;
  }
  if (rows.size() > 1000) m.values.resize(m.starts[m.starts.size() - 1]);
}
static void matvec(Matrix &m, Vector &x, Vector &y) {
  int n = (int)m.starts.size() - 1;
  const int *starts = &m.starts[0], *columns = &m.columns[0];
  const double *values = &m.values[0], *from = &x.values[0];
  double *to = &y.values[0];
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = starts[i]; k < starts[i + 1]; k++) sum += values[k] * from[columns[k]];
    to[i] = sum;
  }
}
int main() {
  const int n = 50;
  std::map<int, int> number;
  std::set<int> fixed;
  for (int i = 0; i < n; i++) number[i] = i;
  fixed.insert(0);
  fixed.insert(n - 1);
  Matrix m;
  Vector x(n), y(n);
  fill(m, number, n);
  fix(m, x, fixed, 2.5);
  for (int t = 0; t < 5; t++) {
    matvec(m, x, y);
    for (int i = 0; i < n; i++) x.values[i] += 0.01 * y.values[i];
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x.values[i] * (i + 1);
  std::printf("%.9g\n", sum);
}
