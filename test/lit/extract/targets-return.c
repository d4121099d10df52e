// Several functions may be what a pointer calls, and each returns a pointer: the result leads to what one of them gives.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare extract %s -- -DSAME | %FileCheck --check-prefix=SAME %s
// RUN: %busfare extract %s -- -DANY | %FileCheck --check-prefix=ANY %s
#include <stdio.h>
#include <stdlib.h>
struct sim;
struct choice {
  double *(*field)(struct sim *);
};
struct sim {
  int n;
  double *x, *y, *z;
  struct choice *by;
};
static double *first(struct sim *s) { return s->x; }
#ifdef SAME
static double *second(struct sim *s) { return s->x; }
#elif defined ANY
double *unseen(void);
static double *second(struct sim *s) { return unseen(); }
#else
static double *second(struct sim *s) { return s->y; }
#endif
// CHECK-LABEL: function main(
// CHECK: array r : f64[?] alias may-be(x, y)
// CHECK: host unsupported "a call through a pointer"
// CHECK: update r[?] +
// SAME-LABEL: function main(
// SAME: host unsupported "a call through a pointer"
// SAME: for [[I:i.[0-9]+]] = 0 .. 999
// SAME: update x[[[I]]] +
// ANY-LABEL: function main(
// ANY-NOT: may-be(
int main(int argc, char **argv) {
  int n = 1000;
  double *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double)), *z = malloc(n * sizeof(double));
  struct choice by;
  by.field = argc > 1 ? first : second;
  struct sim s = {n, x, y, z, &by};
  for (int i = 0; i < n; i++) x[i] = y[i] = z[i] = i;
  for (int t = 0; t < 50; t++) {
    double *r = s.by->field(&s);
    for (int i = 0; i < n; i++) r[i] += z[i];
  }
  printf("%g %g\n", x[3], y[4]);
  return 0;
}
