// `parallel_for(range, lambda)` as Kokkos, RAJA and TBB write it.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -std=c++20 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <cstdio>
#include <cstdlib>

namespace mine {
template <typename Body> inline void parallel_for(int n, const Body &body) {
  for (int i = 0; i < n; i++)
    body(i);
}
} // namespace mine

int main() {
  int n = 50;
  double *a = new double[n], *b = new double[n];
  for (int i = 0; i < n; i++)
    a[i] = rand() % 100;
  mine::parallel_for(n, [=](int i) { b[i] = 3 * a[i]; });
  for (int i = 0; i < n; i++)
    b[i] += a[n - 1 - i];
  for (int i = 0; i < n; i++)
    printf("%g\n", b[i]);
  delete[] a;
  delete[] b;
}
