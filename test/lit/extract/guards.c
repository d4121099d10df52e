// RUN: %busfare extract %s -- | FileCheck %s
// Affine guards are exact, data-dependent ones are not; clamps become min and max.
void guards(int n, int m, double *a, const double *b) {
  for (int i = 0; i < n; i++) {
    if (i > 0 && i < n - 1) // CHECK: if i - 1 >= 0 and n - i - 2 >= 0
      a[i] = 1;
    if (b[i] > 0) // CHECK: if ?
      a[i] = 2;
    int left = i == 0 ? 0 : i - 1;
    int right = i == n - 1 ? n - 1 : i + 1;
    int most = i < m ? i : m;
    a[i] = b[left] + b[right] + b[most]; // CHECK: read b[max(0, i - 1)]
                                         // CHECK-NEXT: read b[min(i + 1, n - 1)]
                                         // CHECK-NEXT: read b[min(i, m)]
    a[i] = i > 0 ? b[i - 1] : 0;         // CHECK: if i - 1 >= 0
                                         // CHECK-NEXT: read b[i - 1]
  }
}
