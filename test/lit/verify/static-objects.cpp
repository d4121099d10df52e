// What makes a static local runs in the first call only: it is as this made it, or as the last call left it.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 40 | FileCheck %s
// CHECK: verify: passed
// CHECK: 0 survived
#include <cstdio>
#include <cstdlib>
struct Buffer {
  int size;
  double *data;
  explicit Buffer(int n) : size(n), data(static_cast<double *>(std::malloc(n * sizeof(double)))) {}
  double &operator[](int i) const { return data[i]; }
};

static double first(int n, const double *x) {
  static double scale[2] = {x[0], x[1] * n};
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * scale[0];
  for (int i = 0; i < n; i++) sum += x[i] * scale[1];
  return sum;
}

static double smooth(int n, double *u) {
  static Buffer work(n);
  static double &left = u[0];
  for (int i = 0; i < n; i++) work[i] = u[i];
  for (int i = 1; i < n - 1; i++) u[i] = 0.5 * (work[i - 1] + work[i + 1]) + left;
  return work.size;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 10;
  double *a = new double[n], *b = new double[n];
  for (int i = 0; i < n; i++) a[i] = i, b[i] = n - i;
  double s = 0;
  for (int t = 0; t < 3; t++) {
    s += smooth(n, a) + smooth(n, b);
    s += first(n, b) + first(n, a);
  }
  std::printf("%.6f %.6f %.6f\n", s, a[3], b[4]);
  return 0;
}
