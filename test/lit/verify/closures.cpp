// A lambda holds what it was made with, a copy of a functor is another object, and a struct by value is the callee's own.
// RUN: %busfare verify %s -- -std=c++20 -O2 | %FileCheck %s
// CHECK: verify: passed
#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
static double a[220], b[220], out[220];
struct Range { int n; double *p; };
struct Shift {
  int by;
  double *to;
  auto own() { return [*this](int i) { to[i + by] = i; }; }
  void run() {
    auto f = [*this] { for (int i = 0; i < by; i++) to[i] += 2; };
    by = 200;
    f();
  }
};
auto offset(int k) { return [k](int i) -> double & { return a[i + k]; }; }
auto over(double *p) { return [p](int i) -> double & { return p[i]; }; }
struct Next { int k; double operator()() { return k++; } };
struct Point { double x; int n; };
template <class F> struct Kept { F f; void all(int n) { for (int i = 0; i < n; i++) f(i); } };
template <class F> void twice(F &&f) { for (int i = 0; i < 20; i++) std::forward<F>(f)(i); }
int main() {
  for (int i = 0; i < 220; i++) a[i] = i, b[i] = 1, out[i] = 0;
  Range r{10, a};
  auto f = [r] { for (int i = 0; i < r.n; i++) r.p[i] += 5; };
  r.n = 200, r.p = b;
  f();
  std::array<int, 2> ends{0, 12};
  auto g = [ends] { for (int i = ends[0]; i < ends[1]; i++) out[i] += 1; };
  for (int i = 0; i < 2; i++) ends[i] = 100 + 50 * i;
  g();
  int n = 30;
  auto h = [n, &r](double *p) { for (int i = 0; i < n; i++) p[i] += r.n; };
  n = 150, r.n = 3;
  h(out);
  Shift s{15, out};
  s.run();
  s.by = 4;
  auto later = s.own();
  s.by = 100;
  for (int i = 0; i < 15; i++) later(i);
  auto high = offset(1), low = offset(0);
  for (int i = 0; i < 200; i++) high(i) = low(i) * 0.5;
  auto first = over(a), second = over(b + 1), third = over(b);
  for (int i = 0; i < 200; i++) second(i) = third(i) * 0.5 + first(i);
  Next next{0};
  std::generate(out + 100, out + 130, next);
  for (int i = next.k; i < next.k + 10; i++) b[i] = 9;
  static Point points[40];
  for (int i = 0; i < 40; i++) points[i].x = i, points[i].n = i;
  std::transform(points, points + 40, out + 150, [](Point p) { p = Point{p.x + 1, 2}; points[0].x = 0; return p.x; });
  auto add = [&](int i) { out[i] += points[i].x; };
  twice(add);
  twice([&, n](int i) { out[i] += n; });
  Kept<decltype(add)> kept{add};
  kept.all(20);
  double sum = s.by + r.n;
  for (int i = 0; i < 220; i++) sum += a[i] * i + b[i] + out[i] * (i + 1);
  for (int i = 0; i < 40; i++) sum += points[i].x + points[i].n;
  std::printf("%.12g\n", sum);
}
