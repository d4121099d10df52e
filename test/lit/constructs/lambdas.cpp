// Lambdas and functors called in a kernel.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -std=c++20 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <cstdio>
#include <cstdlib>

struct Scale {
  double by;
  double operator()(double x) const { return by * x; }
};

int main() {
  static double a[40], b[40];
  for (int i = 0; i < 40; i++)
    a[i] = rand() % 100;
  double shift = 3;
  auto moved = [shift](double x) { return x + shift; };
  Scale scale{2.5};
  for (int i = 0; i < 40; i++)
    b[i] = scale(moved(a[i]));
  for (int i = 0; i < 40; i++)
    printf("%g\n", b[i]);
}
