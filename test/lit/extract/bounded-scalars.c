// RUN: %busfare extract %s -- | %FileCheck %s
// A value that data chooses among known ones keeps their range, and so does a counter that data bumps.
#define MIN(a, b) ((a) < (b) ? (a) : (b))
// CHECK-LABEL: function upwind(
void upwind(int n, int m, const double *flux, const double *restrict d, double *restrict out) {
  for (int k = 0; k < m; k++)
    for (int j = 2; j < n - 2; j++) {
      int donor, up;
      if (flux[k * n + j] > 0) {
        up = j - 2, donor = j - 1;
      } else {
        up = MIN(j + 1, n - 3), donor = j;
      }
      // CHECK: define donor{{.*}} in j - 1 .. j at
      // CHECK: define up{{.*}} in min(j - 2, n - 3) .. max(j - 2, min(j + 1, n - 3)) at
      out[k * n + j] = d[k * n + donor] + // CHECK: read d[k*n + donor]
                       d[k * n + up];     // CHECK: read d[k*n + up]
    }
}
// CHECK-LABEL: function pack(
int pack(int n, const double *a, double *restrict b) {
  int j = -1;
  for (int i = 0; i < n; i++) // CHECK: define j because {{.*}} in -1 .. i - 1
    if (a[i] > 0) {
      j++;
      b[j] = a[i]; // CHECK: write b[j + 1]
    }
  return j;
}
// CHECK-LABEL: function chain(
void chain(int kind, int n, double *a) {
  int more = 0;
  if (kind == 1) more = 1;
  if (kind == 3) more = 2;
  for (int i = 0; i < n + more; i++) a[i] = 0; // CHECK: define more{{.*}} in min(2, more) .. max(2, more)
}
// A bump that may be anything leaves no range.
// CHECK-LABEL: function jumps(
void jumps(int n, const int *step, double *b) {
  int j = 0;
  for (int i = 0; i < n; i++) {
    b[j] = i; // CHECK: write b[?] at
    j += step[i];
  }
}
// Nor does one that wraps around again.
// CHECK-LABEL: function resets(
void resets(int n, const double *a, double *b) {
  int j = 0;
  for (int i = 0; i < n; i++) {
    b[j] = i; // CHECK: write b[?] at
    if (a[i] > 0) j++;
    else j = 0;
  }
}
