// Two kernels of one block each have a variable of their own for the same field.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// CHECK: verify: passed
// CHECK: 3 kernels
#include <cstdio>

struct Field {
  double *p;
  int n;
};

int main() {
  Field e;
  e.n = 100;
  e.p = new double[100];
  double o[100];
  for (int i = 0; i < e.n; i++)
    e.p[i] = 7 + i;
  for (int i = 0; i < e.n; i++)
    o[i] = e.p[i];
  for (int i = 0; i < e.n; i++)
    o[i] += e.p[e.n - 1 - i];
  std::printf("%g %g\n", o[7], o[99]);
  delete[] e.p;
}
