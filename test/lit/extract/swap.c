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
void conditional(int n, int steps, double *a, double *b) { // CHECK: alias {{(fixed )?}}may-be(a, b)
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
// A pointer that does not follow may be either, from the loop's second iteration on and behind it.
// CHECK-LABEL: function keep(
double keep(int n, int steps, double *u, double *v) { // CHECK: array first : f64[?] alias {{(fixed )?}}may-be(u, v)
  double *first = u;
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      v[i] = first[i] + u[i]; // CHECK: read first[?]
    double *tmp = u;
    u = v;
    v = tmp;
  }                // CHECK: rotate u <- v, v <- u
  return first[0]; // CHECK: read first.2[0]
}
// So does one that starts again from it in each iteration of a loop around.
// CHECK-LABEL: function again(
void again(int n, int steps, double *a, double *b) {
  for (int k = 0; k < n; k++) {
    double *u = a, *v = b; // CHECK: array a.2 : f64[?] alias {{(fixed )?}}may-be(a, b)
    a[k] = 1;              // CHECK: write a.2[?]
    for (int t = 0; t < steps; t++) {
      v[k] = u[k];
      double *tmp = u;
      u = v;
      v = tmp;
    }
  }
}
struct Field {
  double *now, *next;
};
static void step(struct Field *f, int n) {
  for (int i = 0; i < n; i++)
    f->next[i] = f->now[i];
  double *tmp = f->now;
  f->now = f->next;
  f->next = tmp;
}
// And one into a field that a called function exchanges.
// CHECK-LABEL: function called(
void called(struct Field *f, int n) { // CHECK: alias {{(fixed )?}}may-be(`f->next`, `f->now`)
  double *kept = f->now;
  kept[0] = 1; // CHECK: write `f->now`[0]
  step(f, n);
  kept[0] = 2; // CHECK: write kept[0]
}
