// `std::unique_ptr<T[]>`.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -std=c++20 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <cstdio>
#include <cstdlib>
#include <memory>

int main() {
  int n = 40;
  std::unique_ptr<double[]> a(new double[n]);
  auto b = std::make_unique<double[]>(n);
  for (int i = 0; i < n; i++)
    a[i] = rand() % 100;
  double *from = a.get(), *to = b.get();
  for (int i = 0; i < n; i++)
    to[i] = from[n - 1 - i] * 2;
  for (int i = 0; i < n; i++)
    b[i] += a[i];
  for (int i = 0; i < n; i++)
    printf("%g\n", b[i]);
}
