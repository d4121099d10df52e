// A vector of vectors is a table whose rows have one length, as long as all are made with it; rows that grow one by one
// keep their names, and lose their length.
// RUN: %busfare extract %s | %FileCheck %s
#include <cstdio>
#include <utility>
#include <vector>
using Row = std::vector<double>;
using Table = std::vector<Row>;

Table made(int n, int m) {
  Table g(n, Row(m, 1.0));
  return g;
}

double last(const Table &t) {
  double s = 0;
  for (size_t i = 0; i < t.size(); i++)
    for (size_t j = 0; j < t[i].size(); j++) s += t[i][j];
  return s;
}
// What another function is given has rows of any length: whoever asks reads the container.
// CHECK-LABEL: function last(
// CHECK: array `t[]` : f64[`t.size()`][?] parameter const distinct-rows
// CHECK: for i = 0 .. `t.size()` - 1
// CHECK-NEXT: read t[i]
// CHECK-NEXT: define [[LENGTH:value[.0-9]*]] because "the size of one of many containers"
// CHECK-NEXT: for j = 0 .. [[LENGTH]] - 1

static void step(const Table &from, Table &to) {
  for (size_t i = 1; i + 1 < from.size(); i++)
    for (size_t j = 1; j + 1 < from[i].size(); j++) to[i][j] = from[i - 1][j] + from[i + 1][j];
}

// CHECK-LABEL: function main(
// CHECK-DAG: array `u[]` : f64[40][30] heap distinct-rows
// CHECK-DAG: array `v[]` : f64[40][30] heap distinct-rows
// CHECK-DAG: array `g[]` : f64[40][20] heap distinct-rows
// CHECK-DAG: array `cube[][]` : f64[5][6][7] heap distinct-rows
// CHECK-DAG: array `jagged[]` : i32[40][?] heap distinct-rows
// CHECK-DAG: array `half[]` : f64[40][?] heap distinct-rows
// CHECK-DAG: array `pair[]` : f64[2][30] heap distinct-rows
int main(int argc, char **argv) {
  Table u(40, Row(30)), v(40);
  for (int i = 0; i < 40; i++) v[i].resize(30);
  for (auto &row : u)
    for (double &x : row) x = 1;
  // CHECK: for [[I:it[.0-9]*]] = 0 .. 39 range at [[#@LINE-2]]
  // CHECK-NEXT: for [[J:it[.0-9]*]] = 0 .. 29 range
  // CHECK-NEXT: write `u[]`{{\[}}[[I]]][[[J]]]

  // Rows change places with their tables, and the size of what is walked in place is known there.
  for (int t = 0; t < 10; t++) {
    step(u, v);
    std::swap(u, v);
    if (u[3][3] > 1e9) break;
  }
  // CHECK: for t = 0 .. 9 early-exit
  // CHECK-NEXT: for [[I:i[.0-9]*]] = 1 .. 38
  // CHECK-NEXT: for [[J:j[.0-9]*]] = 1 .. 28
  // CHECK-NEXT: read `u[]`{{\[}}[[I]] - 1][[[J]]]
  // CHECK-NEXT: read `u[]`{{\[}}[[I]] + 1][[[J]]]
  // CHECK-NEXT: write `v[]`{{\[}}[[I]]][[[J]]]
  // CHECK: rotate u <- v, v <- u
  // CHECK-NEXT: rotate `u[]` <- `v[]`, `v[]` <- `u[]`

  // Copies are made row by row, into rows that are there or into new ones.
  v = u;
  // CHECK: for [[I:it[.0-9]*]] = 0 .. 39 algorithm at [[#@LINE-1]]
  // CHECK-NEXT: for [[J:it[.0-9]*]] = 0 .. 29 algorithm
  // CHECK-NEXT: read `u[]`{{\[}}[[I]]][[[J]]]
  // CHECK-NEXT: write `v[]`{{\[}}[[I]]][[[J]]]
  Table old = u;
  // CHECK: read `u[]`{{\[}}[[I:it[.0-9]*]]][[[J:it[.0-9]*]]] at [[#@LINE-1]]
  // CHECK-NEXT: write `old[]`{{\[}}[[I]]][[[J]]]

  Row one(30);
  v[3] = one;
  // CHECK: for [[I:it[.0-9]*]] = 0 .. 29 algorithm at [[#@LINE-1]]
  // CHECK-NEXT: read one{{\[}}[[I]]]
  // CHECK-NEXT: write `v[]`[3][[[I]]]

  Table g = made(40, 20);
  std::vector<Table> cube(5, Table(6, Row(7)));
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 7; k++) cube[i][j][k] = g[i][j];
  // CHECK: write `cube[][]`{{\[[^]]*\]\[[^]]*\]\[[^]]*\]}} at [[#@LINE-1]]

  std::vector<std::vector<int>> jagged(40);
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < i; j++) jagged[i].push_back(j);
  // CHECK: host allocation "push_back"
  // CHECK: may write `jagged[]`{{\[[^]]*\]\[\?\]}}
  long count = 0;
  for (int i = 0; i < 40; i++)
    for (size_t j = 0; j < jagged[i].size(); j++) count += jagged[i][j];
  // CHECK: read jagged[
  // CHECK-NEXT: define [[LENGTH:value[.0-9]*]] because "the size of one of many containers"
  // CHECK: read `jagged[]`

  // A loop that leaves rows out leaves them empty.
  Table half(40);
  for (int i = 0; i < 20; i++) half[i].resize(30);
  // CHECK: host allocation "resize"
  for (size_t j = 0; j < half[3].size(); j++) half[3][j] = 1;
  // CHECK: define {{.*}} because "the size of one of many containers"

  Row pair[2];
  for (int i = 0; i < 2; i++) pair[i].resize(30);
  for (int t = 0; t < argc; t++)
    for (int i = 1; i < 30; i++) pair[(t + 1) % 2][i] = pair[t % 2][i - 1];
  // CHECK: read `pair[]`[t{{.*}} mod 2][
  std::printf("%g %ld %g %g %g\n", last(u), count, cube[1][2][3], half[3][4], pair[0][5]);
}
