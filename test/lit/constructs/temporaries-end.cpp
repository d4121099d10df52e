// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}13 kernels;
// CHECK: Mutants: 17 caught, 3 excused, 0 survived
//
// A temporary's destructor runs at the end of its expression, however the temporary was made.
#include <cmath>
#include <cstdio>
static double q[1000], p[1000];
struct Ender {
  int k;
  ~Ender() {
    for (int i = 0; i < 1000; i++)
      q[i] = k + i % 5;
  }
};
static int use(const Ender &g) { return g.k; }
static Ender make(int k) { return Ender{k}; }
int main() {
  for (int i = 0; i < 1000; i++)
    q[i] = i * 0.5;
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < 1000; i++)
      p[i] += sin(q[i]);
    use(Ender{t});
  }
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < 1000; i++)
      p[i] += sin(q[i]);
    make(t);
  }
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < 1000; i++)
      p[i] += sin(q[i]);
    if (use(Ender{t}) == 2)
      p[0] += q[1];
    t % 2 ? Ender{t + 1} : Ender{t};
  }
  for (int i = 0; i < 1000; i++)
    printf("%g\n", p[i]);
}
