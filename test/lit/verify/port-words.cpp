// Arrays of a program may be called like what the port has for its own.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 40 | FileCheck %s
// CHECK: verify: passed
// CHECK: 6 kernels
// CHECK: 0 survived
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 10;
  std::vector<double> copy(n), count(n), value(n), i1(n);
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n; i++)
      copy[i] = count[i] = value[i] = i1[i] = i + t;
    if (copy[t] < 9)
      std::printf("%.3f %.3f %.3f %.3f\n", copy[t], count[t + 1], value[t + 2], i1[t]);
    for (int i = 1; i < n; i++)
      copy[i] += count[i - 1] * value[i] + i1[i - 1];
    std::printf("%.3f %.3f\n", copy[t], copy[n - 1]);
  }
  return 0;
}
