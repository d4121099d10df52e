// A range-for over iterators of a class is the loop that the standard writes it out as: its body is read.
// RUN: %busfare extract %s 2>/dev/null | %FileCheck %s
#include <list>
#include <map>
#include <set>

double a[1000], b[1000], total;

// CHECK-LABEL: function sum(
// CHECK-NOT: unsupported
// CHECK: define trips because "element" in 0 .. ? at
// CHECK-NEXT: for it = 0 .. trips - 1 range at
// CHECK: read element[?]
// CHECK-NEXT: update s +
// CHECK: {{^}}}
double sum(const std::map<int, double> &m) {
  double s = 0;
  for (const auto &pair : m) s += pair.second;
  return s;
}

// What it is given, and what it picks; b stays as it is.
// CHECK-LABEL: function marks(
// CHECK: array k : i32 local restrict per-iteration
// CHECK: host library "begin" at [[#]]:{{[0-9]+}} {
// CHECK-NEXT: may read picked
// CHECK: for it
// CHECK: write a[?]
// CHECK-NOT: b[
// CHECK: {{^}}}
void marks(const std::set<int> &picked) {
  for (int k : picked) a[k] = 1;
}

// Names for parts, and elements that change: of any memory, as far as is known.
// CHECK-LABEL: function scale(
// CHECK: array element : struct<16>[?] alias at
// CHECK: may read m
// CHECK-NEXT: may write m
// CHECK: write element[?]
void scale(std::map<int, double> &m, double f) {
  for (auto &[k, v] : m) v *= f * a[k];
}

// What the body leaves in variables is known to be unknown.
// CHECK-LABEL: function last(
// CHECK: define n
// CHECK-NEXT: read n
// CHECK-NEXT: for i = 0 .. n - 1
int last(const std::list<int> &l) {
  int n = 5;
  for (int x : l)
    if (x > 3) n = x;
  for (int i = 0; i < n; i++) a[i] = 1;
  return n;
}

// The program's own iterators, with what they do.
struct Places {
  double *at;
  double &operator*() const { return *at; }
  Places &operator++() {
    total += 1;
    ++at;
    return *this;
  }
  bool operator!=(const Places &other) const { return at != other.at; }
};
struct Row {
  double *first;
  int n;
  Places begin() const { return {first}; }
  Places end() const { return {first + n}; }
};
// CHECK-LABEL: function walk(
// CHECK: for it = 0 .. trips - 1 range at
// CHECK: call `Places::operator++`(
// CHECK: {{^}}}
void walk(const Row &row) {
  for (double &x : row) x *= 2;
}
