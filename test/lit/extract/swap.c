// RUN: %busfare extract %s -- | FileCheck %s
// Pointers that an iteration permutes rotate; a conditional swap makes an alias.
void time_loop(int n, int steps, double *u, double *v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]); // CHECK: write v[i]
    double *swap = u;
    u = v;
    v = swap;
  }          // CHECK: rotate u <- v, v <- u
  u[0] = 1;  // CHECK: write u[0]
}
void three(int n, int steps, double *p, double *q, double *r) {
  double *tmp;
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n; ++i)
      r[i] = 2 * q[i] - p[i];
    tmp = p;
    p = q;
    q = r;
    r = tmp;
  } // CHECK: rotate p <- q, q <- r, r <- p
}
// CHECK-LABEL: function conditional
void conditional(int n, int steps, double *a, double *b) { // CHECK: alias may-be(a, b)
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      b[i] = a[i]; // CHECK: read a.2[?]
    if (b[0] > 0.0) {
      double *swap = a;
      a = b;
      b = swap;
    }
  } // CHECK-NOT: rotate
}
