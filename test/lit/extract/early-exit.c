// RUN: %busfare extract %s -- | FileCheck %s
// break, continue and return.
int search(int n, const double *a, double x) {
  int i;
  for (i = 0; i < n; i++) // CHECK: for i = 0 .. n - 1 early-exit
    if (a[i] == x) break;
  return i;
}
void skip(int n, double *a) {
  for (int i = 0; i < n; i++) { // CHECK: for i = 0 .. n - 1 at
    if (i == 3) continue;       // CHECK: if i - 3 >= 0 and 3 - i >= 0
    a[i] = 0;                   // CHECK: } else {
                                // CHECK-NEXT: write a[i]
    if (a[i] > 3) continue;     // CHECK: if ?
    a[i] = 1;                   // CHECK: } else {
  }                             // CHECK-NEXT: write a[i]
}
int stop(int n, double *a) {
  for (int i = 0; i < n; i++) { // CHECK: for i = 0 .. n - 1 early-exit
    if (a[i] < 0) return 1;
    a[i] = 0;
  }
  a[n] = 1; // CHECK: if ? rest at 23:3
  return 0; // CHECK-NEXT: write a[n]
}
