// RUN: %busfare extract %s -- | %FileCheck %s
// Calls of BLAS, by CBLAS and by Fortran's symbols.
enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };
void cblas_dgemm(enum CBLAS_LAYOUT, enum CBLAS_TRANSPOSE, enum CBLAS_TRANSPOSE, int, int, int, double, const double *, int, const double *, int,
                 double, double *, int);
void cblas_sgemv(enum CBLAS_LAYOUT, enum CBLAS_TRANSPOSE, int, int, float, const float *, int, const float *, int, float, float *, int);
void cblas_daxpy(int, double, const double *, int, double *, int);
double cblas_ddot(int, const double *, int, const double *, int);
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *,
            const int *, const double *, double *, const int *);
void daxpy_(const int *, const double *, const double *, const int *, double *, const int *);
void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *, const double *, const double *, const int *, double *, const int *);
void cblas_drot(int, double *, int, double *, int, double, double);

// CHECK-LABEL: function products
void products(int m, int n, int k, const double *a, const double *b, double *c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0, a, k, b, n, 0.0, c, n);
  // CHECK: host library "cblas_dgemm" blas dgemm(m = m, n = n, k = k) on (A = a, B = b, C = c) overwrites at [[#@LINE-1]]:3 {
  // CHECK-NEXT: may read a[? in 0 .. k*m - 1]
  // CHECK-NEXT: may read b[? in 0 .. k*n - 1]
  // CHECK-NEXT: may write c[? in 0 .. m*n - 1]
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, n, k, 1.0, a, k, b, k, 1.0, c, m + 2);
  // CHECK: host library "cblas_dgemm" blas dgemm(m = m, n = n, k = k) on (A = a, B = b, C = c) at
  // CHECK-NEXT: may read a[? in 0 .. k*m - 1]
  // CHECK-NEXT: may read b[? in 0 .. k*n - 1]
  // CHECK-NEXT: may read c[? in 0 .. m*n + 2*n - 3]
  // CHECK-NEXT: may write c[? in 0 .. m*n + 2*n - 3]
}

// CHECK-LABEL: function blocks
void blocks(double a[64][64], double b[64][64], double c[64][64]) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 16, 8, 64, 1.0, &a[16][0], 64, &b[0][8], 64, 1.0, &c[16][8], 64);
  // CHECK: may read a[? in 16 .. 31][? in 0 .. 63]
  // CHECK-NEXT: may read b[? in 0 .. 63][? in 8 .. 15]
  // CHECK-NEXT: may read c[? in 16 .. 31][? in 8 .. 15]
  // CHECK-NEXT: may write c[? in 16 .. 31][? in 8 .. 15]
}

// CHECK-LABEL: function vectors
double vectors(int m, int n, float *a, float *x, float *y, double *u, double *v) {
  cblas_sgemv(CblasRowMajor, CblasTrans, m, n, 1, a, n, x, 1, 1, y, 3);
  // CHECK: host library "cblas_sgemv" blas sgemv(m = m, n = n) on (A = a, x = x, y = y)
  // CHECK-NEXT: may read a[? in 0 .. m*n - 1]
  // CHECK-NEXT: may read x[? in 0 .. m - 1]
  // CHECK-NEXT: may read y[? in 0 .. 3*n - 3]
  cblas_daxpy(n, 2.0, u, 2, v, -1);
  // CHECK: host library "cblas_daxpy" blas daxpy(n = n) on (x = u, y = v)
  // CHECK-NEXT: may read u[? in 0 .. 2*n - 2]
  // CHECK-NEXT: may read v[? in 0 .. n - 1]
  // CHECK-NEXT: may write v[? in 0 .. n - 1]
  return cblas_ddot(n, u, 1, v, m); // an increment that is no number
  // CHECK: host library "cblas_ddot" blas ddot(n = n)
  // CHECK-NEXT: may read u[? in 0 .. n - 1]
  // CHECK-NEXT: may read v[?]
}

// CHECK-LABEL: function fortran
void fortran(int m, int n, int k, const double *a, const double *b, double *c) {
  const double one = 1, zero = 0;
  const int inc = 1;
  dgemm_("N", "T", &m, &n, &k, &one, a, &m, b, &n, &zero, c, &m);
  // CHECK: host library "dgemm_" blas dgemm(m = m, n = n, k = k) on (A = a, B = b, C = c) overwrites
  // CHECK: may read a[? in 0 .. k*m - 1]
  // CHECK: may read b[? in 0 .. k*n - 1]
  // CHECK: may write c[? in 0 .. m*n - 1]
  daxpy_(&n, &one, a, &inc, c, &inc);
  // CHECK: host library "daxpy_" blas daxpy(n = n)
  dtrsm_("L", "U", "N", "N", &m, &n, &one, a, &m, c, &m);
  // CHECK: host library "dtrsm_" blas dtrsm(m = m, n = n)
  // CHECK: may read a[?]
  // CHECK: may write c[? in 0 .. m*n - 1]
}

// Opaque as any call: a routine that is not in the table, and a body that is seen.
// CHECK-LABEL: function others
void others(double *x, double *y) {
  cblas_drot(3, x, 1, y, 1, 0.5, 0.5); // CHECK: host opaque "cblas_drot"
}
