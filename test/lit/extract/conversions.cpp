// A value that a call, a constructor or a reference takes is converted first: iterations 256 apart write one element.
// RUN: %busfare loops %s -- -std=c++20 | %FileCheck %s
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

void least(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[std::min<uint8_t>(i, 255)] = i;
}
// CHECK: least
// CHECK: 11 i no

void most(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[std::max<int8_t>(i, -5) + 5] = i;
}
// CHECK: most
// CHECK: 18 i no

void pairs(double *a, int n) {
  for (int i = 0; i < n; i++) {
    std::pair<uint8_t, int> p(i, i);
    a[p.first] = p.second;
  }
}
// CHECK: pairs
// CHECK: 25 i no

void bindings(double *a, int n) {
  for (int i = 0; i < n; i++) {
    auto [any, last] = std::pair<bool, int>(i, i);
    a[any] = last;
  }
}
// CHECK: bindings
// CHECK: 34 i no

void firstOf(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[std::get<0>(std::pair<uint8_t, int>(i, 2))] = i;
}
// CHECK: firstOf
// CHECK: 43 i no

void reference(double *a, int n) {
  for (int i = 0; i < n; i++) {
    const uint8_t &k = i;
    a[k] = i;
  }
}
// CHECK: reference
// CHECK: 50 i no

// The temporary is made before the variable changes.
void older(double *a, int n) {
  for (int i = 0; i < n; i++) {
    int j = 0;
    const long &k = j;
    j = i;
    a[k] = j;
  }
}
// CHECK: older
// CHECK: 60 i no

void newer(double *a, int n) {
  for (int i = 0; i < n; i++) {
    int j = i;
    const long &k = j;
    j = 0;
    a[k] = j;
  }
}
// CHECK: newer
// CHECK: 71 i yes

void lambda(double *a, int n) {
  auto at = [](const uint8_t &k) { return k + 0; };
  for (int i = 0; i < n; i++)
    a[at(i)] = i;
}
// CHECK: lambda
// CHECK: 83 i no

void olderInLambda(double *a, int n) {
  auto store = [&](const long &k, int &j, int i) { j = i, a[k] = i; };
  for (int i = 0; i < n; i++) {
    int j = 0;
    store(j, j, i);
  }
}
// CHECK: olderInLambda
// CHECK: 91 i no

struct Put {
  double *a;
  void operator()(const uint8_t &k, int v) const { a[k] = v; }
  double &at(const uint8_t &k) const { return a[k]; }
};
void functor(double *a, int n) {
  Put put{a};
  for (int i = 0; i < n; i++)
    put(i, i);
}
// CHECK: functor
// CHECK: 106 i no

void accessor(double *a, int n) {
  Put put{a};
  for (int i = 0; i < n; i++)
    put.at(i) = i;
}
// CHECK: accessor
// CHECK: 114 i no

void elements(double *a) {
  int two[2] = {0, 256};
  for (const uint8_t &k : two)
    a[k] = k;
}
// CHECK: elements
// CHECK: 122 it no

void algorithm(double *a, const int *at, int n) {
  std::for_each(at, at + n, [a](uint8_t k) { a[k] = k; });
}
// CHECK: algorithm
// CHECK: 129 elements no

static int plain(const long &k) { return k; }
void unchanged(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[plain(i)] = std::max<double>(i, 2);
}
// CHECK: unchanged
// CHECK: 136 i yes
