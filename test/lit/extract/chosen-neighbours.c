// A neighbour's subscript that stops at the border is the same formula with the index held one before it.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare sections %s | %FileCheck %s --check-prefix=SECTIONS
// SECTIONS: nest in f at
// SECTIONS: b {{.*}} [0:nz-1:1][0:ny-1:1][0:nx-1:1]
// SECTIONS: nest in g at
// SECTIONS: b {{.*}} [0:n-2:1]
void f(int nx, int ny, int nz, double *a, const double *b) {
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        int c = x + y * nx + z * nx * ny;
        int w = (x == 0) ? c : c - 1;
        int e = (x == nx - 1) ? c : c + 1;
        int n = (y == 0) ? c : c - nx;
        int s = (y != ny - 1) ? c + nx : c;
        a[c] = b[c] + b[w] + b[e] + b[n] + b[s];
      }
}
// CHECK-LABEL: function g(
void g(int n, double *a, const double *b) {
  for (int i = 0; i < n; i++) {
    int w = i == 0 ? i : i - 1;
    a[i] = b[w]; // CHECK: read b[max(0, i - 1)]
    int other = i == 0 ? 5 : i - 1; // no neighbour
    a[i] += b[other]; // CHECK: read b[other
  }
}
