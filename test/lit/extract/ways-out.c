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
  *p = 1; // CHECK: write p[?]
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
  a[j] = 1; // CHECK: write a[?] at
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
