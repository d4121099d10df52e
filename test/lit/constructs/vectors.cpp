// `std::vector`, sized by constructor, `resize` and `assign`.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 20 -- -std=c++20 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 30;
  std::vector<double> a(n), b;
  b.resize(n);
  for (int i = 0; i < n; i++)
    a[i] = rand() % 100;
  for (int i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + a[i + 1];
  double *v = a.data();
  for (int i = 0; i < n; i++)
    v[i] += 1;
  for (int i = 0; i < n; i++)
    printf("%g %g\n", a[i], b[i]);
}
