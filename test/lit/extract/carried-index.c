// RUN: %busfare extract %s -- | FileCheck %s
// An index carried through two loops, and a row pointer.
void gather_rows(int n, int m, double *a, const double *b) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    const double *row = b + i * m;
    for (int j = 0; j < m; j++) {
      a[k] = row[j]; // CHECK: read b[i*m + j]
                     // CHECK-NEXT: write a[i*max(0, m) + j]
      k++;           // CHECK-NEXT: write k induction
    }
  }
}
