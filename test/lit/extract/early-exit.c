// RUN: %busfare extract %s -- | FileCheck %s
// break, continue and return.
int search(int n, const double *a, double x) {
  int i;
  for (i = 0; i < n; i++) // CHECK: for i = 0 .. n - 1 early-exit inside at
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
  for (int i = 0; i < n; i++) { // CHECK: for i = 0 .. n - 1 early-exit inside at
    if (a[i] < 0) return 1;
    a[i] = 0;
  }
  a[n] = 1; // CHECK: if ? rest at 23:3
  return 0; // CHECK-NEXT: write a[n]
}
// Its condition may end it before the first iteration, or a jump that is not followed.
int header(int n, const double *a, double *b) {
  int i;
  for (i = 0; i < n && a[i] > 0; i++) { // CHECK: for i = 0 .. n - 1 early-exit at
    b[i] = 1;
    if (b[i] > a[i]) break;
  }
  return i;
}
int unguarded(int n, const double *a, double *b) {
  for (int i = 0; i < n; i++) { // CHECK: for i = 0 .. n - 1 early-exit at
    b[0] += ({ if (a[i] < 0) return 1; a[i]; });
    b[i] = 1;
  }
  return 0;
}
