// Conjugate gradients as C++ has them: vectors given by reference from function to function, which call the arrays differently, and one of
// which is given one vector twice. A copy that a function has no name for stands before its call.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: r main d2h 3,840 3,840 equal
// CHECK: {{^ *}}34 kernels;
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
struct Csr {
  std::vector<int> start, col;
  std::vector<double> val;
  int rows;
  Csr(int n) : start(n + 1), rows(n) {
    for (int i = 0; i < n; i++) {
      start[i] = (int)col.size();
      for (int j = i - 1; j <= i + 1; j++)
        if (j >= 0 && j < n) { col.push_back(j); val.push_back(i == j ? 2 : -1); }
    }
    start[n] = (int)col.size();
  }
};
static void spmv(const Csr &a, const std::vector<double> &x, std::vector<double> &y) {
  for (int i = 0; i < a.rows; i++) {
    double s = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; k++)
      s += a.val[k] * x[a.col[k]];
    y[i] = s;
  }
}
static double dot(const std::vector<double> &x, const std::vector<double> &y) {
  double s = 0;
  for (size_t i = 0; i < x.size(); i++) s += x[i] * y[i];
  return s;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 60;
  Csr a(n);
  std::vector<double> x(n), r(n, 1.0), p = r, q(n);
  double rr = dot(r, r);
  for (int it = 0; it < 8; it++) {
    spmv(a, p, q);
    double alpha = rr / dot(p, q);
    for (int i = 0; i < n; i++) { x[i] += alpha * p[i]; r[i] -= alpha * q[i]; }
    double next = dot(r, r), beta = next / rr;
    rr = next;
    for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
  }
  printf("%.9g %.9g\n", rr, dot(x, x));
}
