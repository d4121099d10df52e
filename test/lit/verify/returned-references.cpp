// A function of several statements that returns its object, or a part of an argument: what comes back is that.
// RUN: %busfare verify %s | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck %s --check-prefix=LOOPS
// CHECK: verify: passed
// LOOPS: 35 i no
// LOOPS: 38 i yes no two iterations
// LOOPS: 47 i no
// LOOPS: 49 i no
// LOOPS: 54 i no
#include <cstdio>
static double a[200], b[200];
struct M {
  double *p; int n;
  M &at(double *q) { p = q; n = 3; return *this; }
  M &len(int x) { n = x; if (x > 150) p = a; return *this; }
};
struct S { int n = 10; double *p = b; double w = 0; };
static S &pass(S &s) { s.w += 1; return s; }
static int &nref(S &s) { s.w += 1; return s.n; }
static double *&pref(S &s) { s.w += 1; return s.p; }
static S *same(S *s) { s->w += 1; return s; }
static S &either(S &x, S &y, int k) { x.w += k; if (k > 2) return x; return y; }
struct View { S *s; };
static View view(S &s) { s.w += 1; View v; v.s = &s; return v; }

static double sum(const double *u) {
  double z = 0;
  for (int i = 0; i < 200; i++) z += u[i] * i;
  return z;
}
int main() {
  for (int i = 0; i < 200; i++) a[i] = i, b[i] = i % 7;
  M m{b, 5};
  m.at(b).at(a + 1);
  for (int i = 0; i < 100; i++) m.p[i] = a[i] * 2;
  double x = sum(a);
  m.at(b).len(120);
  for (int i = 0; i < m.n; i++) m.p[i] = 4;
  S s, t, u, v, w;
  pass(s).n = 50;
  for (int i = 0; i < s.n; i++) b[i] += 1;
  x += sum(b);
  nref(s) = 70;
  for (int i = 0; i < s.n; i++) b[i] += 1;
  x += sum(b);
  pref(t) = a + 1;
  for (int i = 0; i < 100; i++) t.p[i] = a[i] * 2;
  S &same1 = pass(u); same1.n = 33; same1.p = a + 1;
  for (int i = 0; i < 100; i++) u.p[i] = a[i] + 1;
  for (int i = 0; i < u.n; i++) b[i] += 1;
  same(&v)->n = 44;
  for (int i = 0; i < v.n; i++) b[i] += 1;
  either(v, w, int(a[5])).p = a + 1;
  for (int i = 0; i < 100; i++) v.p[i] = a[i] + b[i];
  View seen = view(w);
  seen.s->n = 21;
  for (int i = 0; i < w.n; i++) b[i] += 1;
  x += s.w + t.w + u.w + v.w + w.w + sum(a) + sum(b);
  std::printf("%.17g\n", x);
}
