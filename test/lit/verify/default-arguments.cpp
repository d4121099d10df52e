// Default arguments are said once for a function's copy, also those that an earlier declaration of the original said.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | %FileCheck %s
// RUN: %busfare port --kernels all %s 2>/dev/null | %FileCheck %s --check-prefix=PORT
// CHECK: verify: passed
// CHECK: watched
// PORT: target teams
#include <cstdio>
void axpy(double *y, const double *x, int n, double a = 1.5, int step = 1);
static void scale(double *y, int n, double by = 0.5) {
  for (int i = 0; i < n; i++)
    y[i] *= by;
}
static double x[100], y[100], z[100];
static void twice() {
  axpy(y, x, 100);
  axpy(z + 1, x, 99, 2.0);
  scale(y, 100);
  scale(z, 50, 3);
}
void axpy(double *y, const double *x, int n, double a, int step) {
  for (int i = 0; i < n; i++)
    y[i] += a * x[i] * step;
}
int main() {
  for (int i = 0; i < 100; i++) {
    x[i] = i;
    y[i] = z[i] = 1;
  }
  twice();
  axpy(y, z, 50);
  double s = 0;
  for (int i = 0; i < 100; i++)
    s += y[i] - z[i];
  std::printf("%g\n", s);
}
