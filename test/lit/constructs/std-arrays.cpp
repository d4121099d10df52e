// `std::array`, `std::span`, `std::valarray`.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -std=c++20 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
// CHECK: w is an object that cannot
#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <valarray>

static std::array<double, 40> a, b;

static void add(std::span<double> to, std::span<const double> from) {
  for (size_t i = 0; i < to.size(); i++)
    to[i] += from[i];
}

int main() {
  std::valarray<double> w(40);
  for (int i = 0; i < 40; i++)
    a[i] = rand() % 100, w[i] = i;
  for (int i = 0; i < 40; i++)
    b[i] = a[i] * w[i];
  add(b, a);
  for (int i = 0; i < 40; i++)
    printf("%g\n", b[i]);
}
