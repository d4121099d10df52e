// Functions that check what they are given, and return a place in it or an integer, are followed as those are that do
// nothing but return: the caller's pointer leads there.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck --check-prefix=LOOPS %s
#include <assert.h>
struct dims {
  int nx, ny;
};
struct grid {
  int n;
  double *cells;
};
static inline int index_of(struct dims d, int i, int j) {
  assert(i >= 0 && i < d.nx);
  assert(j >= 0 && j < d.ny);
  return i + d.nx * j;
}
static inline double *at(double *restrict v, struct dims d, int i, int j) {
  assert(v);
  assert(i >= 0 && i < d.nx);
  return &v[index_of(d, i, j)];
}
static inline double *cell(struct grid *g, int i) {
  assert(i < g->n);
  return g->cells + i;
}
static double *cells_of(struct grid *g) {
  assert(g);
  return g->cells;
}
static double *after_the_first(double *v, int n) {
  if (n > 8) return v + 1;
  return v;
}

// CHECK-LABEL: function fill(
void fill(double *v, struct dims d) {
  // CHECK: read v[d.nx*j + i] at [[# @LINE + 4]]:54
  // CHECK-NEXT: write v[d.nx*j + i] at [[# @LINE + 3]]:36
  // LOOPS: [[# @LINE + 1]] j yes
  for (int j = 0; j < d.ny; j++)
    for (int i = 0; i < d.nx; i++) *at(v, d, i, j) = v[index_of(d, i, j)] + 1;
}

// In a variable, in another's name; the callee's own variable of that name is another in each call.
// CHECK-LABEL: function twice(
void twice(double *a, double *v, struct dims d) {
  // CHECK: read a[d.nx*j + i] at [[# @LINE + 6]]:13
  // CHECK-NEXT: update v[d.nx*j + i] * at [[# @LINE + 5]]:7
  // LOOPS: [[# @LINE + 1]] j yes
  for (int j = 0; j < d.ny; j++)
    for (int i = 0; i < d.nx; i++) {
      double *const p = at(v, d, i, j);
      *p *= *at(a, d, i, j);
    }
}

// CHECK-LABEL: function of_struct(
void of_struct(struct grid *g) {
  // CHECK: write `g->cells`[i] at [[# @LINE + 2]]:34
  // LOOPS: [[# @LINE + 1]] i yes
  for (int i = 0; i < g->n; i++) *cell(g, i) = 0;
}

// The field's own pointer.
// CHECK-LABEL: function of_getter(
void of_getter(struct grid *g) {
  // CHECK: write `g->cells`[i] at [[# @LINE + 2]]:34
  // LOOPS: [[# @LINE + 1]] i yes
  for (int i = 0; i < g->n; i++) cells_of(g)[i] = 0;
}

// One of two places: not known which, and no other.
// CHECK-LABEL: function either(
void either(double *v, int n) {
  // CHECK: array [[PLACE:[^ ]*]] : f64[?] alias{{.*}} may-be(v)
  // CHECK: write [[PLACE]][
  *after_the_first(v, n) = 0;
}

// It is the same element each time.
void same(double *v, struct dims d) {
  // LOOPS: [[# @LINE + 1]] j no
  for (int j = 0; j < d.ny; j++) *at(v, d, 0, 0) += j * v[index_of(d, 1, 0)] * v[0];
}
