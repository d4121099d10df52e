// RUN: %busfare extract %s | %FileCheck %s
// What the calls of a loop change is carried, whatever the loop's own text names.
struct View {
  double *x;
  int n;
};
struct Both {
  struct View view;
  struct View *other;
};
void set(struct View *v, double *a, int n) { v->x = a, v->n = n; }
void grow(struct Both *b) { b->view.n++, b->other->n += 2; }

// CHECK-LABEL: function replaced(
void replaced(double *a, double *b, int n, int m, int steps) {
  struct View v;
  set(&v, a, n);
  for (int t = 0; t < steps; t++) {
    // CHECK: define v.n because "v.n is carried by the loop"
    // CHECK: for i = 0 .. v.n - 1
    // CHECK-NEXT: write v.x[?]
    for (int i = 0; i < v.n; i++) v.x[i] = 1;
    set(&v, b, m);
  }
}
// CHECK-LABEL: function copied(
void copied(double *a, double *b, int n, int m, int steps) {
  struct View v = {a, n}, w = {b, m};
  for (int t = 0; t < steps; t++) {
    // CHECK: define v.n because "v.n is carried by the loop"
    // CHECK: for i = 0 .. v.n - 1
    // CHECK-NEXT: write v.x[?]
    for (int i = 0; i < v.n; i++) v.x[i] = 1;
    v = w;
  }
  // CHECK: }
}
// CHECK-LABEL: function grown(
void grown(double *a, int steps) {
  struct Both b;
  struct View other;
  b.other = &other;
  b.view.n = 1, other.n = 2;
  for (int t = 0; t < steps; t++) {
    // CHECK: for i = 0 .. t at
    for (int i = 0; i < b.view.n; i++) a[i] = 1;
    // CHECK: for i.2 = 0 .. 2*t + 1 at
    for (int i = 0; i < other.n; i++) a[i] += 2;
    grow(&b);
  }
}
// Through another pointer to it.
// CHECK-LABEL: function aliased(
void aliased(struct View *v, int steps) {
  struct View *q = v;
  for (int t = 0; t < steps; t++) {
    // CHECK: read `v->n`
    // CHECK: for i = 0 .. `v->n` - 1
    for (int i = 0; i < v->n; i++) v->x[i] = 1;
    // CHECK: write `v->n`
    q->n = 8;
  }
}
