// RUN: %busfare extract %s -- -std=c++17 | %FileCheck %s
// Clocks, random numbers and strings of the C++ library touch what they are given, and nothing else.
#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
double *shared;
// CHECK-LABEL: function timed(
double timed(int n, double *a) {
  shared = a; // whoever gets at globals gets at it
  auto start = std::chrono::steady_clock::now(); // CHECK: host timing "now" at
                                                 // CHECK-NOT: {{(read|write) a\[}}
  for (int i = 0; i < n; i++) a[i] = 1;          // CHECK: for i = 0 .. n - 1
                                                 // CHECK: write a[i]
  auto end = std::chrono::steady_clock::now();
  // CHECK-NOT: opaque
  return std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count() * 1e-9;
}
// CHECK-LABEL: function drawn(
void drawn(int n, double *a) {
  shared = a;
  std::mt19937 engine(42);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < n; i++) a[i] = uniform(engine); // CHECK: for i = 0 .. n - 1
                                                      // CHECK: host library "operator()"
                                                      // CHECK-NOT: {{(read|write) a\[\?}}
                                                      // CHECK: write a[i]
}
