// RUN: %busfare extract %s -- | FileCheck %s
// Extents from malloc and its kin, through casts, wrappers and views.
#include <stdlib.h>
static float *allocate(int count) { return (float *)malloc(sizeof(float) * count); }
static void *aligned(size_t size) {
  void *made = NULL;
  if (posix_memalign(&made, 64, size)) exit(1);
  return made;
}
void use(int n, int m) {
  double *x = malloc(n * sizeof(double));       // CHECK: array x : f64[n] heap
  double *y = (double *)calloc(n, sizeof *y);   // CHECK: array y : f64[n] heap
  double(*u)[m] = malloc(sizeof(double[n][m])); // CHECK: array u : f64[n][m] heap
  float *w = allocate(n * m);                   // CHECK: array w : f32[m*n] heap
  double(*wide)[n + 1][m + 2];
  wide = (double(*)[n + 1][m + 2])aligned((n + 1) * (m + 2) * sizeof(double)); // CHECK: array wide : f64
  void *raw;
  if (posix_memalign(&raw, 64, n * 4)) exit(1);
  int *k = raw;                                 // CHECK: array raw : i32[n] heap
  // CHECK: alloc x[n]
  // CHECK: alloc y[n]
  // CHECK: write y[it]
  // CHECK: alloc u[n][m]
  // CHECK: alloc w[m*n]
  // CHECK: alloc wide
  (*wide)[1][1] = 0;                            // CHECK: write wide[m + 3]
  u[1][2] = x[0];                               // CHECK: write u[1][2]
  k[3] = w[0];                                  // CHECK: write raw[3]
  double(*v)[m] = (double(*)[m])x;
  v[2][1] = 0;                                  // CHECK: write x[2*m + 1]
  free(x);                                      // CHECK: free x
}
