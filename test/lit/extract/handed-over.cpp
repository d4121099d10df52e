// RUN: %busfare extract %s -- -std=c++17 | %FileCheck %s
// Code that is not seen gets at everything that its arguments lead to.
#include <functional>
#include <vector>
struct Field {
  double *p;
  int n;
};
struct Pair {
  Field inner[2];
};
void keep(int &x);
void keep(std::vector<double> &v);
void keep(double **p);
void rows(double *const *p);
void value(Field f);
void value(Pair p);
void constant(const Field &f);
Field made(double *a);
void other();

// CHECK-LABEL: function reference(
void reference(double *a) {
  int n = 3;
  keep(n);
  // It may have kept the reference.
  // CHECK: host opaque "other"
  // CHECK: define n
  other();
  // CHECK: for i = 0 .. n - 1
  for (int i = 0; i < n; i++) a[i] = 0;
}
// CHECK-LABEL: function address(
void address(double *a, double *b) {
  double *p = a;
  // CHECK: host opaque "keep" {{.*}} {
  // CHECK-NEXT: may read a[?]
  // CHECK-NEXT: may write a[?]
  keep(&p);
  // Which array p points to is not known any more.
  // CHECK: write p.2[0]
  p[0] = 1;
}
// CHECK-LABEL: function listed(
void listed(double *a, double *b) {
  double *both[2] = {a, b};
  // CHECK: host opaque "rows"
  // CHECK: may write a[?]
  // CHECK: may write b[?]
  rows(both);
}
// CHECK-LABEL: function structs(
void structs(double *a, double *b, double *c, double *d) {
  Field f;
  f.p = a, f.n = 2;
  // CHECK: host opaque "value"
  // CHECK: may write a[?]
  value(f);
  // CHECK: host opaque "value"
  // CHECK: may write b[?]
  value(Field{b, 2});
  // A const struct has pointers to what is not.
  // CHECK: host opaque "constant"
  // CHECK: may write c[?]
  constant(Field{c, 1});
  // CHECK: host opaque "value"
  // CHECK: may write d[?]
  value(made(d));
}
// CHECK-LABEL: function nested(
void nested(double *a, double *b) {
  Pair two;
  two.inner[0].p = a;
  two.inner[1].p = b;
  // CHECK: host opaque "value"
  // CHECK: may write a[?]
  // CHECK: may write b[?]
  value(two);
}
// The object of a member function that is not const may change.
// CHECK-LABEL: function members(
void members(std::vector<double> &v, int n) {
  // CHECK: host opaque "insert"
  // CHECK: may write v[?]
  v.insert(v.begin(), 1.0);
  // CHECK: write v.{{[0-9]}}[i]
  for (int i = 0; i < n; i++) v[i] = 0;
}
// CHECK-LABEL: function stored(
void stored(double *a) {
  std::vector<double *> list;
  list.push_back(a);
  // CHECK: host opaque "other"
  // CHECK: may write a[?]
  other();
}
void take(const std::function<void(int)> &);
// CHECK-LABEL: function lambda(
void lambda(double *a, double *b, int n) {
  auto inner = [a](int i) { a[i] = 1; };
  auto outer = [inner, &b](int i) { inner(i), b[i] = 2; };
  // CHECK: host opaque "function"
  // CHECK: may write a[?]
  // CHECK: may write b[?]
  std::function<void(int)> f = outer;
  take(f);
}
