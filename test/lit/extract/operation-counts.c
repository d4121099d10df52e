// RUN: %busfare extract %s -- | FileCheck %s
// What is computed, by kind; a product that is added is one fused operation.
#include <math.h>
void f(int n, double *a, float *b, const int *k, int *c) {
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * a[i + 1] + 3.0 / a[i]; // CHECK: ops fp64.fma 1 fp64.div 1 fp64.special 1
    a[i] = exp(a[i]);
  }
  for (int i = 0; i < n; i++)
    b[i] = (b[i] + 1.0f) * k[i]; // CHECK: ops fp32.add 1 fp32.mul 1 convert 1
  for (int i = 0; i < n; i++)
    c[i] = k[i] + 7; // CHECK: ops int 1
}
