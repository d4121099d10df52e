// Copies, exchanges, inherited constructors and deleters do what somebody wrote, also where the library runs them.
// RUN: %busfare verify %s -- -std=c++20 -O2 | %FileCheck %s
// CHECK: verify: passed
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>
static double a[80], b[80], log_[80], pool[8][80];
static int made;
static double given;
struct Deep {
  double *p;
  Deep() : p(pool[made++]) {}
  Deep(const Deep &o) : p(pool[made++]) { for (int i = 0; i < 80; i++) p[i] = o.p[i]; }
  Deep &operator=(const Deep &o) { for (int i = 0; i < 80; i++) p[i] = o.p[i]; return *this; }
};
struct Holder { Deep d; int k = 0; };
struct Noting { double x = 1; Noting &operator=(const Noting &o) { x = o.x; for (int i = 0; i < 80; i++) log_[i] += 1; return *this; } };
struct Filled {
  double *q;
  Filled(double *to, int n) : q(to) { for (int i = 0; i < n; i++) q[i] = i; }
};
struct Named : Filled { using Filled::Filled; int tag = 3; };
struct Twice : Named { using Named::Named; };
struct Sum { void operator()(double *p) const { for (int i = 0; i < 80; i++) given += p[i]; } };
int main() {
  for (int i = 0; i < 80; i++) a[i] = i, b[i] = 1, log_[i] = 0;
  Deep x, y;
  for (int i = 0; i < 80; i++) x.p[i] = i, y.p[i] = 2;
  double *px = x.p;
  std::swap(x, y);
  for (int i = 1; i < 80; i++) x.p[i] = px[i - 1] + 1;
  Holder h, g;
  for (int i = 0; i < 80; i++) h.d.p[i] = x.p[i], g.d.p[i] = 4;
  std::swap(h, g);
  for (int i = 0; i < 80; i++) a[i] += h.d.p[i] + g.d.p[i] * 2;
  std::vector<Noting> v(3), w(3);
  for (int i = 0; i < 80; i++) log_[i] = i;
  w = v;
  for (int i = 0; i < 80; i++) b[i] += log_[i];
  std::array<Noting, 2> one, two;
  one = two;
  for (int i = 0; i < 80; i++) b[i] += log_[i];
  std::fill(w.begin(), w.end(), v[0]);
  std::copy(v.begin(), v.end(), w.begin());
  for (int i = 0; i < 80; i++) b[i] += log_[i] + w[1].x;
  Twice t(a, 40);
  for (int i = 0; i < 80; i++) a[i] += t.tag;
  {
    std::unique_ptr<double, Sum> held(a);
    for (int i = 0; i < 80; i++) a[i] *= 2;
  }
  for (int i = 0; i < 80; i++) b[i] += given;
  {
    std::shared_ptr<double> shared(b, [](double *p) { for (int i = 0; i < 80; i++) given += p[i]; });
    for (int i = 0; i < 80; i++) b[i] *= 2;
    auto again = shared;
    shared.reset();
    for (int i = 0; i < 80; i++) b[i] += 1;
  }
  double sum = given;
  for (int i = 0; i < 80; i++) sum += a[i] * i + b[i] + log_[i] + x.p[i] + y.p[i];
  std::printf("%.12g\n", sum);
}
