// `u = std::exchange(v, u)` swaps two pointers; of numbers it gives what was there.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 40 | FileCheck %s
// CHECK: verify: passed
// CHECK: 7 kernels
// CHECK: 0 survived
#include <cstdio>
#include <cstdlib>
#include <utility>

struct Grid {
  int n;
  double *data;
  explicit Grid(int n) : n(n), data(new double[n]) {}
  Grid(Grid &&other) noexcept : n(std::exchange(other.n, 0)), data(std::exchange(other.data, nullptr)) {}
  ~Grid() { delete[] data; }
};

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 10;
  double *u = new double[n], *v = new double[n];
  for (int i = 0; i < n; i++)
    u[i] = i, v[i] = 0;
  int steps = 0;
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]) + steps;
    u = std::exchange(v, u);
    const int before = std::exchange(steps, t);
    if (before > 9) std::puts("never");
  }
  Grid first(n);
  for (int i = 0; i < first.n; i++)
    first.data[i] = u[i] * 2;
  Grid second(std::move(first));
  double sum = first.n;
  for (int i = 0; i < second.n; i++)
    sum += second.data[i];
  std::printf("%.6f %.6f %.6f\n", sum, u[1], v[2]);
  delete[] u;
  delete[] v;
  return 0;
}
