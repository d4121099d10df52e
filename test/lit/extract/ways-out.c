// RUN: %busfare extract %s -- | FileCheck %s
// What is changed on the way out of a loop is not what whole iterations leave.
#include <setjmp.h>
// CHECK-LABEL: function pointer(
void pointer(int n, double *a, const double *b) {
  double *p = a;
  for (int i = 0; i < n; i++)
    if (b[i] > 7) {
      p += i + 10;
      break;
    }
  *p = 1; // CHECK: write a[?]
}
// CHECK-LABEL: function other(
void other(int n, double *a, double *c, const double *b) {
  double *p = a;
  for (int i = 0; i < n; i++)
    if (b[i] > 7) {
      p = c;
      break;
    }
  *p = 1; // CHECK: write p[0]
}
// CHECK-LABEL: function range(
void range(double *a, const int *k) {
  int j = 0;
  for (int i = 0; i < 10; i++) {
    if (k[i]) j++;
    if (k[i] > 5) {
      j += 100;
      break;
    }
  }
  a[j] = 1; // CHECK: define j usually 0 because "j" at
}
// What only the walk sees.
// CHECK-LABEL: function called(
static void set(int *q, int v) { *q = v; }
void called(double *a, const double *b) {
  int n = 10, m = 10, *p = &n;
  for (int i = 0; i < 64; i++)
    if (b[i] > 7) {
      set(p, 40);
      break;
    }
  for (int i = 0; i < n; i++) a[i] = 1; // CHECK: for i.2 = 0 .. n - 1
  for (int i = 0; i < m; i++) a[i] = 1; // CHECK: for i.3 = 0 .. 9
}
// The test that fails steps, too.
// CHECK-LABEL: function tested(
int tested(double *a) {
  double *p = a, *end = a + 9;
  int n = 0;
  while (p++ < end) n++;
  *p = 1; // CHECK: write a[?]
  return n;
}
// Left as it was: known.
// CHECK-LABEL: function untouched(
void untouched(int n, double *a, const double *b) {
  double *p = a + 3;
  for (int i = 0; i < n; i++)
    if (b[i] > 7) break;
  *p = 1; // CHECK: write a[3]
}
// CHECK-LABEL: function through(
void through(double *a) {
  int n = 10, *p = &n;
  *p = *p + 30;
  for (int i = 0; i < n; i++) a[i] = 1; // CHECK: for i = 0 .. 39
}
// A jump that comes back from elsewhere: nothing is as it seems.
static jmp_buf again;
static int tries;
// CHECK-LABEL: function comes_back(
void comes_back(double *a) {
  // CHECK: host unsupported "this function, to which a jump may come back (setjmp),"
  setjmp(again);
  if (tries++ < 2) longjmp(again, 1);
  for (int i = 0; i < 8; i++) a[i] = 1;
}
