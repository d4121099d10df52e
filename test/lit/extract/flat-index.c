// RUN: %busfare extract %s -- | FileCheck %s
// Scalars that carry subscripts are followed; integer arithmetic for them is not counted.
void scale(int n, int m, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++) {
      int idx = i * m + j;      // CHECK: write idx
      a[idx] = 2 * a[idx - 1];  // CHECK-NEXT: read a[i*m + j - 1]
    }                           // CHECK-NEXT: write a[i*m + j]
}                               // CHECK-NEXT: ops fp64.mul 1
