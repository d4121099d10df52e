// Range-based `for` in a kernel; over a vector it stays on the host.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -std=c++20 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <cstdio>
#include <cstdlib>
#include <vector>

int main() {
  double a[40], b[40];
  std::vector<double> kept(40);
  for (double &x : a)
    x = rand() % 100;
  for (int i = 0; i < 40; i++) {
    double s = 0;
    for (double x : a)
      s += x * i;
    b[i] = s;
  }
  for (double &x : kept)
    x = 2 * b[3];
  for (double x : b)
    printf("%g\n", x);
  printf("%g\n", kept[7]);
}
