// `if consteval` has no condition; what runs is its other side.
// RUN: %busfare extract %s -- -std=c++23 | %FileCheck %s
constexpr double half(double x) {
  if consteval {
    return x / 2;
  } else {
    return x * 0.5;
  }
}
constexpr double third(double x) {
  if not consteval {
    return x * 3;
  }
  return x / 3;
}
void scale(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = half(a[i]) + third(a[i]);
}
// CHECK: function half
// CHECK: fp64.mul 1
// CHECK: function scale
// CHECK: read a[i]
