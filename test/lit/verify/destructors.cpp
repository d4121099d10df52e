// Destructors run where their objects go: when a unique_ptr lets go, when a container shrinks, at the end of a block or a
// statement; not for what is returned, which lives on with the caller.
// RUN: %busfare verify %s -- -O2 | %FileCheck %s
// CHECK: verify: passed
#include <cstdio>
#include <memory>
#include <vector>
#define N 100
static double tab[N], out[N];
struct Adding { double f = 3; ~Adding() { tab[5] += f; } };
struct Scaling { double f; Scaling(double g) : f(g) {} ~Scaling() { tab[3] *= f; tab[5] = 7; } };
struct Filling {
  double f;
  Filling(double g) : f(g) {}
  Filling(const Filling &) = delete;
  ~Filling() { for (int i = 0; i < N; i++) tab[i] = 7; }
};
static Filling make(double g) { return Filling(g); }
static Filling makeLater(double g) { if (g > 100) std::printf("large\n"); return Filling(g + 1); }
static std::vector<Adding> v;
int main() {
  v.resize(4);
  for (int i = 0; i < N; i++) tab[i] = i;
  v.pop_back();
  for (int i = 0; i < N; i++) tab[i] *= 2;
  v.clear();
  for (int i = 0; i < N; i++) out[i] = tab[i] * 2;
  auto p = std::make_unique<Scaling>(3);
  for (int i = 0; i < N; i++) tab[i] += 2;
  p.reset();
  for (int i = 0; i < N; i++) tab[i] *= 2;
  std::unique_ptr<Scaling> q(new Scaling(2));
  for (int i = 0; i < N; i++) tab[i] += 1;
  q = nullptr;
  for (int i = 0; i < N; i++) out[i] += tab[i] * 1.5;
  {
    Filling one = make(3), two = makeLater(4);
    double z = 0;
    for (int i = 0; i < N; i++) z += tab[i];
    std::printf("%g %g %g\n", z, one.f, two.f);
  }
  for (int i = 0; i < N; i++) tab[i] += i;
  makeLater(5);
  for (int i = 0; i < N; i++) out[i] += tab[i] * 1.5;
  double sum = 0;
  for (int i = 0; i < N; i++) sum += out[i] * i;
  std::printf("%.1f\n", sum);
}
