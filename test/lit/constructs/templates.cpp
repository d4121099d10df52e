// Function templates, class templates, variable templates.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -std=c++20 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <cstdio>
#include <cstdlib>

template <typename T> T buffer[40];

template <typename T, int Width> static void smooth(const T *in, T *out, int n) {
  for (int i = 0; i < n; i++) {
    T s = 0;
    for (int k = 0; k < Width; k++)
      s += in[(i + k) % n];
    out[i] = s / Width;
  }
}

int main() {
  static double a[40], b[40];
  for (int i = 0; i < 40; i++)
    a[i] = rand() % 100;
  smooth<double, 3>(a, b, 40);
  for (int i = 0; i < 40; i++)
    buffer<double>[i] = b[i] + 1;
  for (int i = 0; i < 40; i++)
    printf("%.9g\n", buffer<double>[i]);
}
