// A row of a table is given as that row: what the callee does to it is known.
// RUN: %busfare extract rows-given.c | %FileCheck rows-given.c
// RUN: %busfare sections rows-given.c | %FileCheck rows-given.c --check-prefix=SECTIONS
#include <stdlib.h>
static void scale(double *row, int n) {
  for (int i = 0; i < n; i++) row[i] *= 2;
}
static void twice(double *row, int n) {
  scale(row + 1, n - 1);
}
// CHECK-LABEL: function work(
// SECTIONS: nest in work at rows-given.c:19:3
// SECTIONS: {{t\[\] +read, write, must-write, live-in +exact +}}[0:m-1:1][1:n-1:1]
// SECTIONS: nest in scale at
// SECTIONS: {{t\[\] +read, write, must-write, live-in +exact +}}[3:3:1][2:n-1:1]
void work(int m, int n) {
  double **t = malloc(m * sizeof *t);
  for (int i = 0; i < m; i++) t[i] = malloc(n * sizeof **t);
  for (int i = 0; i < m; i++)
    twice(t[i], n); // CHECK: call twice(&`t[]`[i.2], n) at
  // CHECK: call scale(&`t[]`[3] + 2, n - 2) at
  scale(t[3] + 2, n - 2);
  // A small function that gets one row is read in place.
  // CHECK: update `t[]`[`(int)(n * 0.37)`][{{i[.0-9]*}}] *
  scale(t[(int)(n * 0.37)], n);
  free(t);
}
