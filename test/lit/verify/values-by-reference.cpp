// std::exchange reads the old value when its other argument has been evaluated, and converts the new one; errno is what the last call
// made of it; a struct that a function takes as an array has other pointers behind it.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 40 | FileCheck %s
// CHECK: verify: passed
// CHECK: 0 survived
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

struct Two {
  double *p, *q;
};

static void turn(Two *x, int k) { x[0].p = x[k].q; }

static void fill(double *a, int n) {
  a[0] = 1;
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] * 0.5 + i;
}

static void add(double *a, int m) {
  for (int i = 0; i < m; i++)
    a[i] += 1;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 10;
  double *u = new double[2 * n], *v = new double[2 * n];
  fill(u, 2 * n);
  fill(v, 2 * n);
  int m = n;
  int k = std::exchange(m, m++ / 2);
  for (int i = 0; i < k; i++)
    u[i] += 1;
  bool flag = false;
  int w = std::exchange(flag, n);
  for (int i = 0; i < flag; i++)
    v[i] = w + i;
  errno = 0;
  FILE *file = std::fopen("/nonexistent/x", "r");
  int most = errno == 0 ? n : n / 2;
  for (int i = 0; i < most; i++)
    u[i] = i * 2;
  if (file) std::fclose(file);
  Two two{u, v};
  turn(&two, 0);
  add(two.p, n);
  std::printf("%d %.9g %.9g %.9g %.9g\n", m, u[0], u[n], v[0], v[n - 1]);
  delete[] u;
  delete[] v;
  return 0;
}
