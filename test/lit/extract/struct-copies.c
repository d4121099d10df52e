// RUN: %busfare extract %s | FileCheck %s
// RUN: %busfare extract %s -- -x c++ | FileCheck %s
// `a = b` of structs: the fields that are followed take new values.

struct part { int n; int k; double *p; };

// CHECK-LABEL: function {{`?}}copied
void copied(double *a, struct part from) {
  struct part to;
  to.n = 5;
  to.p = 0;
  to = from;
  a[to.n] = 1; // CHECK: write a[from.n]
}

// CHECK-LABEL: function {{`?}}from_element
void from_element(double *a, struct part *from) {
  struct part to;
  to.n = 5;
  to.p = a;
  to = from[2]; // CHECK: read from[2]
  // CHECK-NOT: write a[
  // CHECK: write `from[].p`[2][to.n]
  to.p[to.n] = 1;
}

// CHECK-LABEL: function {{`?}}in_a_loop
void in_a_loop(double *a, struct part *from) {
  struct part to;
  to.n = 5;
  for (int i = 0; i < 10; i++) {
    a[to.n] = 1; // CHECK: write a[?]
    to = from[i]; // CHECK: read from[i]
  }
}

// Elements of arrays of structs move as wholes.
// CHECK-LABEL: function {{`?}}elements
void elements(struct part *to, const struct part *from, int n) {
  // CHECK: for i = 0 .. n - 1
  // CHECK-NEXT: read from[i]
  // CHECK-NEXT: write to[2*i]
  // CHECK-NEXT: }
  for (int i = 0; i < n; i++)
    to[2 * i] = from[i];
}
