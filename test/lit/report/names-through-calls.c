// Arrays of one name in several functions are told apart by as few calls as it takes.
// RUN: %busfare analyze %s | %FileCheck %s
// CHECK: Never cross (temporary): left@24:tmp, right@25:tmp.
// CHECK-NOT: step@
#include <stdlib.h>

static void left(double *a, int n) {
  double *tmp = malloc(n * sizeof *tmp);
  for (int i = 0; i < n; i++) tmp[i] = 2 * a[i];
  for (int i = 0; i < n; i++) a[i] = tmp[n - 1 - i];
  free(tmp);
}

static void right(double *a, int n) {
  double *tmp = malloc(n * sizeof *tmp);
  for (int i = 0; i < n; i++) tmp[i] = a[i] + 1;
  for (int i = 0; i < n; i++) a[i] = tmp[n - 1 - i];
  free(tmp);
}

static void step(double *a, int n) {
  if (n > 4) {
    a[0] = 0;
    left(a, n);
    right(a, n);
  }
}

int main(void) {
  double *a = malloc(100000 * sizeof *a), s = 0;
  for (int i = 0; i < 100000; i++) a[i] = i;
  step(a, 100000);
  for (int i = 0; i < 100000; i++) s += a[i];
  return s > 3;
}
