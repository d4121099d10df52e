// Methods, functors and templates whose bodies are weak.
// RUN: %busfare loops %s -- -std=c++17 | %FileCheck %s
#include <algorithm>
struct Row {
  double *p;
  int n;
  int stride() const;
  double &at(int i);
  double &inside(int i) const { return p[i]; }
  Row &move(int i);
  double operator()(double x) const;
};
__attribute__((weak)) int Row::stride() const { return 1; }
__attribute__((weak)) double &Row::at(int i) { return p[i]; }
__attribute__((weak)) Row &Row::move(int i) {
  n = i;
  return *this;
}
__attribute__((weak)) double Row::operator()(double x) const { return x * n; }
template <class T> __attribute__((weak)) T same(T x) { return x; }
template <class F> __attribute__((weak)) void each(int n, F f) {
  for (int i = 0; i < n; i++)
    f(i);
}

void f1(Row &a, int n) {
  for (int i = 0; i < n; i++)
    a.p[i * a.stride()] = i;
}
void f2(Row &a, int n) {
  for (int i = 0; i < n; i++)
    a.at(i) = i;
}
void f3(Row &a, int n) {
  for (int i = 0; i < n; i++)
    a.move(i).p[a.n] = i;
}
void f4(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[same(i)] = i;
}
void f5(double *a, int n) { std::transform(a, a + n, a, Row{a, 2}); }
void f6(Row &a, int n) {
  for (int i = 0; i < n; i++)
    a.inside(i) = i;
}
void f7(double *a, int n) {
  each(n, [=](int i) { a[i] = i; });
}
// CHECK: f1
// CHECK: 27 i no
// CHECK: f2
// CHECK: 31 i no
// CHECK: f3
// CHECK: 35 i no
// CHECK: f4
// CHECK: 39 i no
// CHECK: f5
// CHECK: 42 elements no
// CHECK: f6
// CHECK: 44 i yes
// CHECK-NOT: 22 i
