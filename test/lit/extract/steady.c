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
// CHECK: function global(param n, param g) at {{[0-9:]+}} steady(g) {
// LOOPS: [[#@LINE+1]] i yes if noalias(g,p)
void global(int n) { for (int i = 0; i < n; i++) p[i] = g + i; }
// CHECK: function field(array a, other w, param n, param `w->k`, array `w->k` by-reference) at {{[0-9:]+}} steady(`w->k`) {
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
