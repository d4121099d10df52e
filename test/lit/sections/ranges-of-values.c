// RUN: %busfare sections %s -- | tr -s ' ' | FileCheck %s
// A subscript that data choose among known ones keeps its row, and so its array its shape.
#define AT(i, j) ((n + 4) * (j) + (i))
void upwind(int n, int m, double *restrict flux, double *restrict mass, double *restrict out) {
  for (int j = 0; j < m; j++)
    for (int i = 1; i < n; i++) {
      int donor, next;
      if (flux[AT(i, j)] > 0) {
        donor = i - 1;
        next = i;
      } else {
        donor = i;
        next = i + 1 < n ? i + 1 : n;
      }
      out[AT(i, j)] = mass[AT(donor, j)] - mass[AT(next, j)];
    }
}
// CHECK: nest in upwind at {{.*}}:5:3
// CHECK: flux read, live-in exact [0:m-1:1][1:n-1:1]
// CHECK: mass read, live-in at most [0:m-1:1][0:n:1]
// CHECK: out write, must-write exact [0:m-1:1][1:n-1:1]
