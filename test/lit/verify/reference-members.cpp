// Fields that are references are what they are bound to; a method that sets one sets a variable of ours.
// RUN: %busfare verify %s | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck %s --check-prefix=LOOPS
// CHECK: verify: passed
// LOOPS: 24 i yes
// LOOPS: 27 i no
// LOOPS: 31 i yes
#include <cstdio>
static double a[200], b[200];
struct Task { int &n; void run() { n = 60; } };
struct Acc { double &s; int &k; void add(double x) { s += x; k++; } };
struct Pt { double *&p; void to(double *q) { p = q; } };
struct Made {
  int &n;
  explicit Made(int &of) : n(of) {}
  void set(int k) { if (k > 3) n = k; }
};
struct Holder { Task task; int id; void go() { task.run(); id++; } };

int main() {
  for (int i = 0; i < 200; i++) a[i] = i, b[i] = 1;
  int n = 10;
  Task k{n}; k.run();
  for (int i = 0; i < n; i++) b[i] += 3;
  double *p = b;
  Pt t{p}; t.to(a + 1);
  for (int i = 0; i < 100; i++) p[i] = a[i] * 2;
  double x = 0; int c = 0;
  Acc acc{x, c};
  for (int i = 0; i < 50; i++) { acc.add(b[i]); a[i] = x; }
  for (int i = 0; i < c; i++) a[i] += 4;
  for (int i = 0; i < 20; i++) { double u = 0; int w = i; Acc q{u, w}; q.add(b[i]); a[w] = u; }
  Made m(n); m.set(90);
  for (int i = 0; i < n; i++) b[i] += a[i];
  int l = 5;
  Holder h{{l}, 0}; h.go();
  for (int i = 0; i < l; i++) b[i] *= 2;
  for (int i = 0; i < 200; i++) x += a[i] * i + b[i];
  std::printf("%.17g %d\n", x, h.id);
}
