// RUN: %busfare extract %s | %FileCheck %s
// The address of a pointer variable: functions that are given one are walked where they are called.
#include <stdlib.h>
void swap(double **a, double **b) {
  double *t = *a;
  *a = *b;
  *b = t;
}
// CHECK-LABEL: function time_loop(
void time_loop(double *a, double *b, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    // CHECK: read a[i - 1]
    // CHECK-NEXT: write b[i]
    for (int i = 1; i < n; i++) b[i] = a[i - 1];
    // CHECK: rotate a <- b, b <- a
    swap(&a, &b);
  }
}
void set(double **p, double *v) { *p = v; }
// CHECK-LABEL: function through(
void through(double *a, double *b, int n) {
  double *p = a, *r = a, **q = &p;
  *q = b;
  // CHECK: write b[i]
  for (int i = 0; i < n; i++) p[i] = 1;
  set(&r, b);
  // CHECK: write b[i.2]
  for (int i = 0; i < n; i++) r[i] = 1;
}
int make(double **p, int n) {
  *p = malloc(n * sizeof(double));
  return *p != NULL;
}
// CHECK-LABEL: function allocated(
void allocated(double *a, int n) {
  double *p, *r;
  // CHECK: alloc p[n]
  // CHECK: alloc r[2*n]
  if (!make(&p, n) || !make(&r, 2 * n)) return;
  // CHECK: read a[i]
  // CHECK-NEXT: write p[i]
  for (int i = 0; i < n; i++) p[i] = a[i];
  // CHECK: read p[i.2]
  // CHECK-NEXT: write r[i.2 + n]
  for (int i = 0; i < n; i++) r[i + n] = p[i];
}
// One that calls itself is not followed.
void deep(double **p, double *v, int n) {
  *p = v;
  if (n > 0) deep(p, v + 1, n - 1);
}
// CHECK-LABEL: function recursive(
// CHECK: array [[P:p.[0-9]]] : f64[?] alias
void recursive(double *a, double *b, int n) {
  double *p = a;
  deep(&p, b, n);
  // CHECK: for i = 0 .. n - 1
  // CHECK: write [[P]][i]
  for (int i = 0; i < n; i++) p[i] = 1;
}
// Two variables that a loop's body may make point elsewhere.
// CHECK-LABEL: function either(
void either(double *a, double *b, const double *x, int n) {
  double *p = a, *r = b;
  for (int i = 0; i < n; i++) {
    // CHECK: write {{.*}}[?]
    p[i] = 1;
    if (x[i] > 0) swap(&p, &r);
  }
}
struct View {
  double *x, *y;
  int n;
};
void init(struct View *v, double *a, int n) { v->x = a, v->y = a + n, v->n = n; }
// Pointers that a function stores in a struct are known to its callers.
// CHECK-LABEL: function views(
void views(double *a, int n) {
  struct View v;
  init(&v, a, n);
  // CHECK: for i = 0 .. n - 1
  // CHECK-NEXT: read a[i]
  // CHECK-NEXT: write a[i + n]
  for (int i = 0; i < v.n; i++) v.y[i] = v.x[i];
}
// A step function that exchanges a struct's fields: before the loop they are what they were on entry.
struct Field {
  double *u, *v;
  int n;
};
void step(struct Field *s) {
  for (int i = 1; i < s->n; i++) s->v[i] = s->u[i - 1];
  double *t = s->u;
  s->u = s->v;
  s->v = t;
}
// CHECK-LABEL: function stepped(
void stepped(struct Field *s, int steps) {
  // CHECK: for t
  // CHECK-NEXT: call step(?, `s->n`, &`s->v`, &`s->u`)
  for (int t = 0; t < steps; t++) step(s);
}
