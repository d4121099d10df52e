// Loops over the elements of containers: variables, fields, references, of methods and free functions.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: w main h2d 400 400 equal
// CHECK: {{^ *}}13 kernels;
// CHECK: 0 survived
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
struct Field {
  std::vector<double> u, v;
  int n;
  Field(int n) : u(n), v(n), n(n) {}
  void step(double c);
};
void Field::step(double c) {
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1]);
  for (size_t i = 0; i < v.size(); i++)
    u[i] = v[i];
}
double norm(const std::vector<double> &a) {
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i)
    s += a[i] * a[i];
  return s;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  Field f(n);
  std::vector<float> w(2 * n);
  std::unique_ptr<int[]> k(new int[n]);
  for (int i = 0; i < n; i++) {
    f.u[i] = i % 7;
    f.v[i] = 0;
    k[i] = n - 1 - i;
    w[2 * i] = w[2 * i + 1] = i;
  }
  for (int t = 0; t < 5; t++)
    f.step(0.1);
  for (int i = 0; i < n; i++)
    w.data()[i] += w[k[i] + n] + (float)w.size();
  double sum = 0;
  for (size_t i = 0; i < w.size(); i++)
    sum += w[i];
  printf("%g %g\n", sum, norm(f.u));
}
