// RUN: %busfare loops common-operands.c | %FileCheck %s
// RUN: %busfare extract %s | %FileCheck %s --check-prefix=CODE
//
// What stands in `x ?: y`, or right of `&&`, runs: once, or perhaps.
#include <string.h>
// CHECK-LABEL: numbers (
// CHECK: i {{ *}}no {{ *}}a[i + 1] -> a[i]
void numbers(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = a[i + 1] ?: 3.0;
}
// CODE-LABEL: function counted(
// CODE: define {{.*}} in 4 .. 9
// CODE-LABEL: function takes(
void counted(double *a) {
  int k = 3;
  int m = ++k ?: 9;
  a[m] = 1;
}
void takes(void) {}
// CHECK-LABEL: either (
// CHECK: i {{ *}}no {{ *}}p -> q: they may be the same memory
void either(int n, double *p, double *r) {
  double *q = p ?: r;
  for (int i = 0; i < n; i++)
    q[i] = p[i + 1];
}
// CHECK-LABEL: perhaps (
// CHECK: i {{ *}}no {{ *}}a -> q: they may be the same memory
void perhaps(int n, double *a, double *b, int c) {
  double *q = a;
  if (c && (q = b))
    c = 0;
  for (int i = 0; i < n; i++)
    q[i] = a[i + 5];
}
// A static local keeps what a call before this one left.
// CHECK-LABEL: kept (
// CHECK: i {{ *}}yes {{ *}}if noalias(b,keep{{.*}})
void kept(int n, double *a, const double *b) {
  static double *keep;
  if (!keep)
    keep = a;
  for (int i = 0; i < n; i++)
    keep[i] = b[i + 1];
}
// CHECK-LABEL: copied (
// CHECK: i {{ *}}no {{.*}}a -> t[0]{{.*}}: they may be the same memory
void copied(int n, double **t, double *a) {
  memcpy(t, &a, sizeof a);
  double *p = t[0];
  for (int i = 0; i < n; i++)
    p[i] = a[i + 1];
}
// CHECK-LABEL: unlike (
// CHECK: i {{ *}}no {{.*}}they may be the same memory
void unlike(int n, int k, int **t, unsigned *a) {
  t[0] = (int *)a;
  int *p = t[k];
  for (int i = 0; i < n; i++)
    p[i] = a[i + 1];
}
// What is not evaluated does not run.
// CODE-LABEL: function asked(
// CODE: write a[2]
void asked(double *a) {
  int k = 2;
  if (__builtin_constant_p(k++))
    k = 2;
  a[k] = 1;
}
