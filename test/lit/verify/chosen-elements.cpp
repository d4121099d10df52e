// std::min and std::max read what they choose among, whatever it is; an accessor that is followed in place leaves `this` as it was.
// RUN: %busfare verify %s -- -O2 | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck %s --check-prefix=LOOPS
// RUN: %busfare extract %s | %FileCheck %s --check-prefix=SKELETON
// CHECK: verify: passed
// LOOPS: 23 i yes
// LOOPS: 24 i no
// LOOPS: 25 i no
// SKELETON: function Sim::step
// SKELETON: read `this->k.w`[i]
// SKELETON: {{(update|write)}} `this->t.d`[i]
#include <algorithm>
#include <cstdio>
struct Sub { double w[100]; double &operator()(int i) { return w[i]; } };
struct Field { double d[100]; Sub k; double &operator()(int i) { return d[i]; } };
struct Sim { Field t; Sub k; void step() { for (int i = 1; i < 99; i++) t(i) += k(i); } };
static Sim s;
static int a[100], b[101];
int main() {
  for (int i = 0; i < 101; i++) b[i] = i * 37 % 11;
  for (int i = 0; i < 100; i++) s.k.w[i] = i;
  int least = 40;
  for (int i = 0; i < 100; i++) a[i] = std::max(b[i], b[i + 1]);
  for (int i = 1; i < 100; i++) b[i] = std::max(b[i], b[i - 1]);
  for (int i = 0; i < 100; i++) { a[i] += std::max(least, b[i]); least = std::min(least, a[i] % 50); }
  s.step();
  double z = 0;
  for (int i = 0; i < 100; i++) z += a[i] * i + b[i] + s.t.d[i] * i;
  std::printf("%.10g %d\n", z, least);
}
