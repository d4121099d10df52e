// A pointer that starts elsewhere, and that each iteration leaves where one of those leads that change places: two ways through the
// body, one for the first iteration. And pointers that a branch sets to two arrays, one way round or the other.
// RUN: %busfare extract followers.c | %FileCheck followers.c
// RUN: %busfare loops followers.c | %FileCheck followers.c --check-prefix=LOOPS

// CHECK-LABEL: function steps(
void steps(int n, double *a, double *b, const double *in) {
  const double *from = in;
  double *to = a, *spare = b;
  // LOOPS: 20 ..i yes
  // CHECK: for t = 0 .. n - 1
  // CHECK-NEXT: if -t >= 0
  // CHECK: read in[i]
  // CHECK: write a[i]
  // CHECK: else
  // CHECK: read b[i.2]
  // CHECK: write a[i.2]
  // CHECK: rotate a <- b, b <- a
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < 100; i++) to[i] = 2 * from[i];
    double *old = to;
    to = spare;
    spare = old;
    from = old;
  }
}
// The loop counts down; the condition is one on the iteration.
// CHECK-LABEL: function down(
void down(int n, double *a, double *b, double *c) {
  double *u = a, *v = b, *w = c;
  // CHECK: if s - n >= 0
  // CHECK: read a[i]
  // CHECK: else
  // CHECK: read c[i.2]
  // CHECK: rotate b <- c, c <- b
  for (int s = n; s > 0; s -= 2) {
    for (int i = 0; i < 100; i++) v[i] = u[i] * 0.5 + w[i];
    double *t = v;
    v = w;
    w = t;
    u = t;
  }
}
// It starts as one of those that change places, which is not followed.
// CHECK-LABEL: function both(
// CHECK: write e[?]
void both(int n, double *c, double *d) {
  double *y = c, *e = d;
  const double *z = c;
  for (int s = 0; s < n; s++) {
    for (int i = 0; i < 100; i++) e[i] = z[i] + 0.25 * y[i];
    double *t = e;
    e = y;
    y = t;
    z = t;
  }
}
// CHECK-LABEL: function either(
// CHECK: array a.2 : f64[?] alias fixed may-be(a, b)
double either(int n, double *a, double *b) {
  double *p, *q;
  // CHECK: if n - 6 >= 0
  // CHECK-NEXT: rotate a <- b, b <- a
  if (n > 5) {
    p = a;
    q = b;
  } else {
    p = b;
    q = a;
  }
  // CHECK: read a[i]
  // CHECK: write b[i]
  for (int i = 0; i < 100; i++) p[i] = q[i] + i;
  return a[3]; // CHECK: read a.2[3]
}
// Not if data decide, nor if both lead to one of them.
// CHECK-LABEL: function unknown(
// CHECK-NOT: rotate
void unknown(double *a, double *b) {
  double *p, *q;
  if (a[0] > 1) {
    p = a;
    q = b;
  } else {
    p = b;
    q = a;
  }
  for (int i = 1; i < 100; i++) p[i] = q[i];
}
// CHECK-LABEL: function same(
// CHECK-NOT: rotate
void same(int n, double *a, double *b) {
  double *p, *q;
  if (n > 5) {
    p = a;
    q = a;
  } else {
    p = b;
    q = b;
  }
  for (int i = 1; i < 100; i++) p[i] = q[i - 1];
}
