// RUN: %busfare extract %s -- | FileCheck %s
// What an unknown pointer points to is named after it; another function may know the name as the global's own array.
extern int unseen(double **);
static double *center;
int first(int n) { return center[n] > 0; }
// CHECK-LABEL: function second
int second(int n, double *other) {
  // CHECK: array center.2 : f64[?] alias at
  for (int i = 0; i < n; i++) {
    unseen(&center);
    center[i] = 1; // CHECK: write center.2[?]
    center = other;
  }
  return 0;
}
