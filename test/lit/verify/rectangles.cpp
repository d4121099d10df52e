// A rectangle of an array whose bounds are ints of the program: its sizes are passed as size_t, which C++ does not take unsaid.
// RUN: %busfare verify %s -- -O2 | %FileCheck %s
// RUN: %busfare port --kernels all %s 2>/dev/null | grep -v '//' | %FileCheck %s --check-prefix=PORT
// CHECK: verify: passed
// PORT: const size_t volume[2] = {(size_t)(
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40;
  double *a = (double *)malloc(n * n * sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i * n + j] = i + j;
  std::printf("%g\n", a[n + 1]);
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i < n / 2; i++)
      for (int j = 1; j < n / 2; j++) a[i * n + j] = a[i * n + j] * 0.5 + t;
    for (int i = 1; i < n / 2; i++)
      for (int j = 1; j < n / 2; j++) std::printf("%g ", a[i * n + j]);
  }
  for (int i = 0; i < n * n; i++) std::printf("%g ", a[i]);
}
