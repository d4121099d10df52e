// `std::for_each`, `transform`, `reduce`, `transform_reduce`: their loops are the library's and stay on the host.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -std=c++20 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

int main() {
  std::vector<double> a(40), b(40);
  for (int i = 0; i < 40; i++)
    a[i] = rand() % 100;
  std::transform(a.begin(), a.end(), b.begin(), [](double x) { return 2 * x + 1; });
  std::for_each(b.begin(), b.end(), [](double &x) { x -= 3; });
  double s = std::reduce(b.begin(), b.end(), 0.0), t = std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0);
  double *v = b.data();
  for (int i = 0; i < 40; i++)
    v[i] = v[i] * 2 + s;
  for (int i = 0; i < 40; i++)
    printf("%g\n", b[i]);
  printf("%g %g\n", s, t);
}
