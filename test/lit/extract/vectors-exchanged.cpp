// A vector that a callee may have given another vector's memory is not known to hold memory of its own: what led there before still does.
// RUN: %busfare loops %s 2>/dev/null | %FileCheck %s
#include <utility>
#include <vector>
static void exchange(std::vector<double> &v, std::vector<double> &w, int c) {
  if (c) v.swap(w);
}
static void take(std::vector<double> &v, std::vector<double> &w, int c) {
  if (c) v = std::move(w);
}
static std::vector<double> other(1000);
static void takeGlobal(std::vector<double> &v, int c) {
  if (c) v.swap(other);
}
static std::vector<std::vector<double>> table;
static void takeRow(std::vector<double> &v, int c) {
  if (c) v.swap(table[0]);
}
struct Pair {
  std::vector<double> a, b;
  void step(int c) {
    if (c > 1) a.swap(b);
  }
};
static void grow(std::vector<double> &v, int c) {
  if (c > 1) v.resize(c);
}
// CHECK-LABEL: byReference (
// CHECK: [[#@LINE+5]] i {{no|.*noalias}}
int byReference(int c, int n) {
  std::vector<double> v(n), w(n);
  double *p = w.data();
  exchange(v, w, c);
  for (int i = 1; i < n; i++) v[i] = p[i - 1] + 1;
  return v[9] > 3;
}
// CHECK-LABEL: moved (
// CHECK: [[#@LINE+5]] i {{no|.*noalias}}
int moved(int c, int n) {
  std::vector<double> v(n), w(n);
  double &p = w[0];
  take(v, w, c);
  for (int i = 0; i < n; i++) v[i] = v[i] + p;
  return v[9] > 3;
}
// CHECK-LABEL: fromGlobal (
// CHECK: [[#@LINE+5]] i {{no|.*noalias}}
int fromGlobal(int c, int n) {
  std::vector<double> v(n);
  double *p = other.data();
  takeGlobal(v, c);
  for (int i = 1; i < n; i++) v[i] = p[i - 1] + 1;
  return v[9] > 3;
}
// CHECK-LABEL: fromTable (
// CHECK: [[#@LINE+5]] i {{no|.*noalias}}
int fromTable(int c, int n) {
  std::vector<double> v(n);
  double *p = table[0].data();
  takeRow(v, c);
  for (int i = 1; i < n; i++) v[i] = p[i - 1] + 1;
  return v[9] > 3;
}
// CHECK-LABEL: byMethod (
// CHECK: [[#@LINE+6]] i {{no|.*noalias}}
int byMethod(int c, int n) {
  Pair m;
  m.a.resize(n), m.b.resize(n);
  double *p = m.b.data();
  m.step(c);
  for (int i = 1; i < n; i++) m.a[i] = p[i - 1] + 1;
  return m.a[9] > 3;
}
// Its own memory, or new one.
// CHECK-LABEL: grown (
// CHECK: [[#@LINE+5]] i yes no two iterations
int grown(int c, int n) {
  std::vector<double> v(n), w(n);
  double *p = w.data();
  grow(v, c);
  for (int i = 1; i < n; i++) v[i] = p[i - 1] + 1;
  return v[9] > 3;
}
