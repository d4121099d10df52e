// A neighbour's subscript that stops at the border is the same formula with the index held one before it.
// RUN: %busfare extract %s | %FileCheck %s
void f(int nx, int ny, int nz, double *a, const double *b) {
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        int c = x + y * nx + z * nx * ny;
        int w = (x == 0) ? c : c - 1;
        int e = (x == nx - 1) ? c : c + 1;
        int n = (y == 0) ? c : c - nx;
        int s = (y != ny - 1) ? c + nx : c;
        // CHECK: read b[nx*ny*z + nx*y + x]
        // CHECK-NEXT: read b[nx*ny*z + nx*y + max(0, x - 1)]
        // CHECK: read b[nx*ny*z + nx*max(0, y - 1) + x]
        a[c] = b[c] + b[w] + b[e] + b[n] + b[s];
      }
}
// CHECK-LABEL: function g(
void g(int n, double *a, const double *b) {
  for (int i = 0; i < n; i++) {
    int w = i == 0 ? i : i - 1;
    a[i] = b[w]; // CHECK: read b[max(0, i - 1)]
    int other = i == 0 ? 5 : i - 1; // no neighbour
    a[i] += b[other]; // CHECK: read b[`
  }
}
