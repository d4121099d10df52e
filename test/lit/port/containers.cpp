// RUN: %busfare port %s -- 2>&1 | grep -v '^//' | %FileCheck %s
// A container is no array: its elements are not mapped by its name.
// CHECK-NOT: #pragma omp target
// CHECK: this loop stays on the host: a is an object
#include <cstdio>
#include <vector>
int main() {
  std::vector<double> a(100), b(100);
  for (int i = 0; i < 100; i++) a[i] = i;
  for (int i = 0; i < 100; i++) b[i] = a[i] * 2;
  double s = 0;
  for (int i = 0; i < 100; i++) s += b[i];
  std::printf("%g\n", s);
}
