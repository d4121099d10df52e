// RUN: %busfare extract %s -- | FileCheck %s
// x = x op e in its many spellings.
#include <math.h>
double sums(int n, const double *x, const double *y, double *h, const int *bin) {
  double s = 0, p = 1, lo = x[0], hi = x[0], top = 0;
  long odd = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] * y[i];         // CHECK: update s +
    s = s - x[i];             // CHECK: update s +
    p = x[i] * p;             // CHECK: update p *
    hi = fmax(hi, x[i]);      // CHECK: update hi max
    if (x[i] < lo) lo = x[i]; // CHECK: update lo min
    top = x[i] > top ? x[i] : top; // CHECK: update top max
    if (x[i] > 1) odd++;      // CHECK: update odd +
    h[bin[i]] += 1;           // CHECK: update h[? from bin] +
    s = x[i] - s;             // CHECK-NOT: update
  }                           // CHECK: write s
  return s + p + lo + hi + top + odd;
}
