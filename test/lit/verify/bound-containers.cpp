// How many elements a container has, and whose: through references in objects, moves, ranges of other types, valarrays; sums
// that are cut at each step.
// RUN: %busfare verify %s -- -std=c++20 -O2 | %FileCheck %s
// CHECK: verify: passed
#include <cstdio>
#include <numeric>
#include <utility>
#include <valarray>
#include <vector>
struct View {
  std::vector<double> &u;
  int skip = 0;
};
struct Grower {
  std::vector<double> &u;
  Grower(std::vector<double> &v) : u(v) {}
  void grow(int n) { u.resize(n); }
};
static double in[100];
static float narrow[100];
int main() {
  for (int i = 0; i < 100; i++) in[i] = i + 0.5;
  std::vector<double> a(50), c(20);
  View view{a};
  Grower grower(a);
  a.resize(90);
  for (std::size_t i = 0; i < view.u.size(); i++) view.u[i] = i;
  grower.grow(95);
  for (std::size_t i = 0; i < a.size(); i++) a[i] += 1;
  for (std::size_t i = 1; i < a.size(); i++) view.u[i] = a[i - 1] + grower.u[i];
  a.swap(c);
  for (std::size_t i = 0; i < view.u.size(); i++) view.u[i] = 3;
  std::vector<double> from(static_cast<std::vector<double> &&>(c));
  c.resize(60);
  for (std::size_t i = 0; i < c.size(); i++) c[i] = from[i] * 2;
  std::vector<float> copied(in, in + 100);
  for (int i = 0; i < 100; i++) narrow[i] = copied[i] * 2;
  std::valarray<int> filled(4, 70);
  double cells[70];
  for (std::size_t i = 0; i < filled.size(); i++) cells[i] = filled[i];
  std::valarray<double> e, p(2.0, 80), q(80);
  for (std::size_t i = 0; i < p.size(); i++) q[i] = i;
  e = p * q + 1.0;
  for (std::size_t i = 0; i < e.size(); i++) e[i] += q[i];
  int cut = std::accumulate(in, in + 100, 0);
  double sum = cut + e.sum();
  for (std::size_t i = 0; i < a.size(); i++) sum += a[i] * i;
  for (std::size_t i = 0; i < c.size(); i++) sum += c[i] * i + cells[i] + from[i];
  for (int i = 0; i < 100; i++) sum += narrow[i] * i;
  std::printf("%.12g\n", sum);
}
