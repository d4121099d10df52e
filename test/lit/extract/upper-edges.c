// Neighbours that stop at the edge: the formula with the index held one before its end, at either end, whatever the condition's
// other names are.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare sections %s --function blur | %FileCheck --check-prefix=SECTIONS %s
// CHECK: read u[nx*y + max(0, x - 1)]
// CHECK: read u[nx*y + min(nx - 1, x + 1)]
// CHECK: read u[nx*max(0, y - 1) + x]
// CHECK: read u[nx*min(ny - 1, y + 1) + x]
// CHECK-NOT: depends on a condition
// SECTIONS: u read, live-in exact [0:ny-1:1][0:nx-1:1]
void blur(int nx, int ny, double *restrict v, const double *restrict u) {
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++) {
      int c = x + y * nx;
      int w = (x == 0) ? c : c - 1;
      int e = (x == nx - 1) ? c : c + 1;
      int n = (y == 0) ? c : c - nx;
      int s = (y != ny - 1) ? c + nx : c;
      v[c] = u[w] + u[e] + u[n] + u[s];
    }
}

// Another step, or another edge, is no such thing.
// CHECK: function other
// CHECK: define {{.*}}depends on a condition
// CHECK: define {{.*}}depends on a condition
void other(int n, double *restrict v, const double *restrict u) {
  for (int x = 0; x < n; x++) {
    int e = (x == n - 1) ? x : x + 2;
    int f = (x == n - 2) ? x : x + 1;
    v[x] = u[e] + u[f];
  }
}
