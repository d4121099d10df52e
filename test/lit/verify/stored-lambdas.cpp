// What a lambda calls runs where it is called, not where a variable keeps it: a region around the loop that calls it is as good as
// any other, one that would begin in the lambda is none.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 40 | FileCheck %s
// CHECK: verify: passed
// CHECK: 3 kernels
// CHECK: 0 survived
// RUN: %busfare verify %s --no-progress --args 40 -- -DELSEWHERE 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// ELSEWHERE: nothing to run
// ELSEWHERE-DAG: is in a lambda
// ELSEWHERE-DAG: lambda that is called from several places
#include <cstdio>
#include <cstdlib>
#include <functional>

static void scale(double *a, int m, double c) {
  for (int i = 0; i < m; i++)
    a[i] = a[i] * 0.5 + c;
}

#ifdef ELSEWHERE
static void shift(double *a, int m, double c) {
  for (int i = 0; i < m; i++)
    a[i] = a[i] + c;
}

static void turn(double *a, int m, double c) {
  for (int i = 0; i < m; i++)
    a[i] = c - a[i];
}
#endif

static void fill(double *a, int n) {
  a[0] = 1;
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] * 0.5 + i;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 10;
  double *a = new double[n](), *b = new double[n](), *c = new double[n]();
  fill(a, n);
  auto inLoop = [&](double by) { scale(a, n, by); };
  for (int t = 0; t < 3; t++) {
    inLoop(t);
    std::printf("%.9g\n", a[t]);
  }
#ifdef ELSEWHERE
  fill(b, n);
  std::function<void(double)> later = [=](double by) { shift(b, n, by); };
  std::printf("%.9g\n", b[n - 1]);
  later(1);
  fill(c, n);
  auto twice = [=](double by) { turn(c, n, by); };
  twice(1);
  fill(c, n);
  twice(2);
#endif
  std::printf("%.9g %.9g %.9g\n", a[1], b[n - 1], c[1]);
  delete[] a;
  delete[] b;
  delete[] c;
  return 0;
}
