// RUN: %busfare extract %s -- | FileCheck %s
// RUN: %busfare loops %s -- | FileCheck --check-prefix=LOOPS %s
// Integers of callers whose values are followed by name: that no store through a pointer changes them is said.
typedef struct { int *u; int n, k; } W;
int *p, g;
static int hidden;
// CHECK: function bound(array a, array m) at {{[0-9:]+}} {
// CHECK: for i = 0 .. `*m` - 1 at {{[0-9:]+}} steady(m[0]) {
// LOOPS: [[#@LINE+1]] i yes if noalias(a,m)
void bound(int *a, int *m) { for (int i = 0; i < *m; i++) a[i] = 1; }
// CHECK: function other_type(
// CHECK-NOT: steady
// LOOPS: [[#@LINE+1]] i yes if noalias(a,m)
void other_type(double *a, int *m) { for (int i = 0; i < *m; i++) a[i] = *m; }
// LOOPS: [[#@LINE+2]] i yes no two
// CHECK: function bound_by_double(
void bound_by_double(double *a, int *m) { for (int i = 0; i < *m; i++) a[i] = 1; }
// CHECK: function global(param n, param g) at {{[0-9:]+}} {
// CHECK: for i = 0 .. n - 1 at {{[0-9:]+}} steady(g) {
// LOOPS: [[#@LINE+1]] i yes if noalias(g,p)
void global(int n) { for (int i = 0; i < n; i++) p[i] = g + i; }
// CHECK: function field(array a, other w, param n, param `w->k`, array `w->k` by-reference) at {{[0-9:]+}} {
// CHECK: for i = 0 .. n - 1 at {{[0-9:]+}} steady(`w->k`) {
// LOOPS: [[#@LINE+1]] i yes if noalias(a,w->k)
void field(int *a, W *w, int n) { for (int i = 0; i < n; i++) a[i] = w->k; }
// Nobody takes its address.
// CHECK: function unreachable(
// CHECK-NOT: steady
// LOOPS: [[#@LINE+1]] i yes no two
void unreachable(int *a, int n) { for (int i = 0; i < n; i++) a[i] = hidden; }
void set(int n) { hidden = n; }
// Written by its own name: followed, not assumed.
// CHECK: function own_name(param n, param g) at {{[0-9:]+}} {
void own_name(int n) { for (int i = 0; i < n; i++) g += i; }
// restrict says it.
// LOOPS: [[#@LINE+1]] i yes no two
void restricted(int *restrict a, int *m) { for (int i = 0; i < *m; i++) a[i] = 1; }
// A store that stays on the host, too.
// CHECK: function on_host(array a, param g, param hidden) at {{[0-9:]+}} steady(g) {
void on_host(volatile int *a) {
  a[g] = 1;
  for (int i = 0; i < g; i++) hidden++;
}
// Before any store: what is written then changes nothing that was read.
// CHECK: function before(array a, other w, param `w->n`) at {{[0-9:]+}} {
// CHECK-NOT: steady
// LOOPS: [[#@LINE+3]] i yes no two
void before(int *a, W *w) {
  const int n = w->n;
  for (int i = 0; i < n; i++) a[i] = 1;
}
// Asked again in each iteration.
// CHECK: function each_time(
// CHECK: for i = 0 .. `w->n` - 1 at {{[0-9:]+}} steady(`w->n`) {
void each_time(int *a, W *w) {
  const int n = w->n;
  for (int i = 0; i < w->n; i++) a[i] = n;
}
// Asked again behind a store, a call, and unseen code.
// CHECK: function behind(array a, other w, param `w->n`, array `w->n` by-reference) at {{[0-9:]+}} steady(`w->n`) {
int behind(int *a, W *w) {
  a[0] = 1;
  return w->n;
}
void store(int *a) { a[1] = 2; }
// CHECK: function behind_call({{.*}} steady(`w->n`) {
int behind_call(int *a, W *w) {
  store(a);
  return w->n;
}
void unseen(int *);
// CHECK: function behind_unseen({{.*}} steady(`w->n`) {
int behind_unseen(int *a, W *w) {
  const int n = w->n;
  unseen(a);
  return n + w->n;
}
// The outer loop asks before it writes, but writes before it asks again.
// CHECK: function around(
// CHECK: for t = 0 .. 2 at {{[0-9:]+}} steady(`w->n`) {
void around(int *a, double *x, W *w) {
  for (int t = 0; t < 3; t++) {
    const int n = w->n;
    for (int i = 0; i < n; i++) x[i] = 1;
    a[t] = 2;
  }
}
