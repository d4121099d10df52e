// RUN: %busfare extract %s -- | FileCheck %s
// Every counted form of `for`.
void forms(int n, double *a) {
  int i, j;
  for (i = n - 1; i >= 0; --i) // CHECK: for i = n - 1 .. 0 step -1
    a[i] = 0;                  // CHECK-NEXT: write a[i]
  for (i = 0; i <= n; i += 3)  // CHECK: for i.2 = 0 .. n step 3
    a[i] = 0;
  for (i = 0; i != n; ++i) // CHECK: for i.3 = 0 .. n - 1 at
    a[i] = 0;
  for (i = 0, j = n - 1; i < j; i++, j--) // CHECK: for i.4 = 0 .. floor(n / 2) - 1
    a[i] = a[j];                          // CHECK-NEXT: read a[n - i.4 - 1]
}
// Down to what comes behind 0.
void unsigned_down(unsigned n, double *a) {
  for (unsigned j = n - 1; j != -1u; j--) // CHECK: for j = n - 1 .. 0 step -1
    a[j] = 0;
}
