// RUN: %busfare loops %s -- -std=c++20 | FileCheck %s
// What called functions set behind pointers that may lead to one of several things here. Each loop reads what an earlier
// iteration wrote, if the program takes the path that makes it so.
#include <algorithm>
#include <vector>

struct G { double *p, *q, *r; };
struct W { int n; int *idx; W() : n(100), idx(&n) {} void one() { *idx = 1; } };
struct V { std::vector<double> v; double *p; };
double x[300];

static void share(G &b, G &a) { b.p = a.r; }
static void both(G &a, G &b) { a.p = b.q; b.p = a.r; }
static void take(G &a, G &b) { a.p = b.q; }
static void set(int *p) { *p = 1; }
static void setN(W &w) { w.n = 1; }
static void keep(V &g, int n) { double *old = g.v.data(); g.v.resize(n); g.p = old; }

// CHECK: 24 i no
void pointerOfOne(int c) {
  G a, b;
  a.p = new double[200]; a.r = new double[200]; b.p = new double[200];
  share(c > 5 ? a : b, a);
  for (int i = 0; i < 100; i++) b.p[i] = a.r[i + 1];
}
// CHECK: 30 i no
void integerOfOne(int c) {
  int m = 100, l = 9;
  set(c > 5 ? &l : &m);
  for (int i = 0; i < 100; i++) x[i] = x[i + m] + 1;
}
// CHECK: 37 i no
void fieldOfOne(int c) {
  W u, t;
  u.n = t.n = 100;
  setN(c > 5 ? u : t);
  for (int i = 0; i < 100; i++) x[i] = x[i + t.n] + 1;
}
// CHECK: 43 i no
void ownField() {
  W w;
  w.one();
  for (int i = 0; i < 100; i++) x[i] = x[i + w.n] + 1;
}
// CHECK: 49 i no
void ownFieldByStore() {
  W w;
  *w.idx = 1;
  for (int i = 0; i < 100; i++) x[i] = x[i + w.n] + 1;
}
// CHECK: 55 i no
void filledFromTable() {
  int m = 100, *q[1] = {&m};
  std::fill(q[0], q[0] + 1, 1);
  for (int i = 0; i < 100; i++) x[i] = x[i + m] + 1;
}
// CHECK: 62 i no
void resizedOne(int c) {
  std::vector<double> a(100), b(100), &r = c ? b : a;
  double *p = a.data();
  r.resize(90);
  for (int i = 0; i < 50; i++) a[i] = p[i + 1];
}
// CHECK: 68 i no
static void setByBoth(G &a, G &b, int c) {
  G *one = c ? &a : &b;
  both(a, *one);
  for (int i = 0; i < 100; i++) a.p[i] = a.r[i + 1];
}
// CHECK: 74 i no
static void takenFromOne(G &a, G &b, int c) {
  G *one = c ? &a : &b;
  take(a, *one);
  for (int i = 0; i < 100; i++) a.p[i] = b.q[i + 1];
}
// CHECK: 81 i no
// CHECK: 82 i no
static void keptOverResize(V &g, int n) {
  double *old = g.v.data();
  keep(g, n);
  for (int i = 0; i < 40; i++) g.p[i] = old[i + 1];
  for (int i = 0; i < 40; i++) g.v[i] = old[i + 1];
}
struct M { int m; int *q; };
static int *global;
// CHECK: 90 i no
static void replacedByField(M &s) {
  s.m = 100;
  std::replace(s.q, s.q + 1, 100, 1);
  for (int i = 0; i < 100; i++) x[i] = x[i + s.m] + 1;
}
// CHECK: 96 i no
static void replacedByGlobal(M &s) {
  s.m = 100;
  std::replace(global, global + 1, 100, 1);
  for (int i = 0; i < 100; i++) x[i] = x[i + s.m] + 1;
}
// CHECK: {{^}}Findings
void all(G &a, G &b, V &g, int c) {
  setByBoth(a, b, c);
  takenFromOne(a, b, c);
  keptOverResize(g, 50);
  M m;
  global = m.q = &m.m;
  replacedByField(m);
  replacedByGlobal(m);
}
