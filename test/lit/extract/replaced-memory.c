// RUN: %busfare extract --quiet replaced-memory.c | %FileCheck %s
//
// A pointer that gets new memory while another still leads to the old: two arrays.
#include <stdlib.h>
struct vector {
  int n;
  double *data;
};
static double *kept;

// CHECK-LABEL: function grow(
// CHECK: array `v->data.2` : f64[2*`v->n`] heap
// CHECK: alloc `v->data.2`
// CHECK: read `v->data`[i]
// CHECK-NEXT: write `v->data.2`[i]
// CHECK: free `v->data`
void grow(struct vector *v) {
  double *old = v->data;
  v->data = malloc(2 * v->n * sizeof(double));
  for (int i = 0; i < v->n; i++)
    v->data[i] = old[i];
  free(old);
}

// Nobody leads to the old one: the pointer's memory, now as before.
// CHECK-LABEL: function renew(
// CHECK: free `v->data`
// CHECK: alloc `v->data`[n]
// CHECK: write `v->data`[i]
void renew(struct vector *v, int n) {
  free(v->data);
  v->data = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    v->data[i] = 0;
}

// A callee does it: what the caller's own pointer leads to is not known behind the call.
// CHECK-LABEL: function sum(
// CHECK: call renew(
// CHECK: read `v->data`[i]
// CHECK-NEXT: read p[i]
// CHECK-LABEL: function both(
double sum(struct vector *v, int n) {
  double s = 0, *p = v->data;
  renew(v, n);
  for (int i = 0; i < n; i++)
    s += v->data[i] * p[i];
  return s;
}
static void renewBeside(struct vector *v, double *p, int n) {
  v->data = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    v->data[i] = p[i];
}
// It is given the old memory, too: no array that it knows by another name.
// CHECK: call renewBeside({{.*}}, &? + ?, {{.*}}, &`v->data`)
void both(struct vector *v, int n) { renewBeside(v, v->data, n); }

// Set on one way only: what it was on entry, or the other.
// CHECK-LABEL: function either(
// CHECK: array kept.2 : f64[?] alias fixed may-be(a, kept)
// CHECK: write kept.2[
void either(double *a, int n) {
  if (n == 3)
    kept = a;
  for (int i = 0; i < n; i++)
    kept[i] = 1;
}
