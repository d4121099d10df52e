// RUN: %busfare extract %s -- | FileCheck %s
// Directives stand on the loop they speak of.
void omp(int n, double *a, const double *b) {
  double s = 0, t;
  int i, j;
#pragma omp parallel for reduction(+ : s) private(t) schedule(static)
  for (i = 0; i < n; i++) { // CHECK: for i = 0 .. n - 1 at {{[0-9:]+}} omp(parallel for reduction(+ : s) private(t) schedule(static))
    t = b[i];
    s += t;
  }
#pragma omp parallel
  {
#pragma omp for collapse(2) nowait
    for (i = 0; i < n; i++)   // CHECK: for i.2 = 0 .. n - 1 at {{[0-9:]+}} omp(for collapse(2) nowait)
      for (j = 0; j < n; j++) // CHECK: for j = 0 .. n - 1
        a[i * n + j] = s;     // CHECK: write a[i.2*n + j]
  }
#pragma omp simd
  for (i = 0; i < n; i++) // CHECK: omp(simd)
    a[i] = 0;
}
