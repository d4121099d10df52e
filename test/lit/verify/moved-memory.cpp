// push_back, reserve and shrink_to_fit may give a container other memory: what the device has of the old one is of no use then.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: v may get other memory at
// CHECK-NEXT: moved-memory.cpp:19:5
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  std::vector<double> v(n), w(2 * n);
  for (int i = 0; i < n; i++)
    v[i] = i;
  for (int i = 0; i < 2 * n; i++)
    w[i] = 2 * i;
  for (int k = 0; k < 3; k++)
    v.push_back(k);
  w.reserve(4 * n);
  double s = 0;
  for (size_t i = 0; i < v.size(); i++)
    s += v[i] + w[i];
  v.reserve(1000);
  for (int i = 0; i < n; i++)
    v[i] += w[i + 1];
  w.shrink_to_fit();
  for (int i = 0; i < n; i++)
    s += v[i] + w[i];
  printf("%g\n", s);
}
