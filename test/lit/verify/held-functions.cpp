// A std::function of a lambda in sight is walked where it is called: what timed() and every() run, and a variable that is only called.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 40 | FileCheck %s
// CHECK: verify: passed
// CHECK: 9 kernels
// CHECK: 0 survived
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

static std::string said;

static void timed(const char *name, const std::function<void()> &run) {
  said += name;
  run();
  said += ";" + std::to_string(said.size());
}

static void every(int steps, std::function<void(int)> step) {
  for (int t = 0; t < steps; t++)
    step(t);
}

static void fill(int n, double *u, double *v) {
  for (int i = 0; i < n; i++) {
    u[i] = i * 0.5;
    v[i] = 0;
  }
}

static void step(int n, const double *u, double *v, int t) {
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i - 1] + u[i + 1] + t;
}

static void scale(int n, double *u, double by) {
  for (int i = 0; i < n; i++)
    u[i] *= by;
}

static double sumOf(int n, const double *u) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += u[i];
  return sum;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 10;
  double *u = new double[n], *v = new double[n];
  double sum = 0;
  timed("fill", [&] { fill(n, u, v); });
  std::function<void(double)> grow = [&](double by) { scale(n, u, by); };
  every(3, [&](int t) {
    step(n, u, v, t);
    scale(n, v, 0.5);
    double *before = u;
    u = v, v = before;
  });
  grow(1.5);
  timed("sum", [&] { sum = sumOf(n, u); });
  std::printf("%.4f %s %.3f\n", sum, said.c_str(), v[2]);
  delete[] u;
  delete[] v;
  return 0;
}
