// RUN: %busfare sections %s -- | FileCheck %s
// RUN: %busfare analyze --details %s --param n=1000 --param m=500 -- | FileCheck %s --check-prefix=REPORT
// An array with rows that loops also walk flat, as fills and copies do: rows all the same, and what is written is known to be.
void smooth(int n, int m, const double *restrict image, double *restrict a, double *restrict out) {
  for (int k = 0; k < n * m; k++) a[k] = image[k] / 255;
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++) out[i * m + j] = (a[(i - 1) * m + j] + a[(i + 1) * m + j]) / 2;
}
// CHECK-LABEL: nest in smooth at {{.*}}:5:3
// CHECK: a write, must-write exact [0:n-1:1][0:m-1:1]
// CHECK-NEXT: image read, live-in exact [0:m*n-1:1]

// Whole rows are, too; what begins or ends within one is not known that well.
void parts(int n, int m, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i * m + j] += 1;
  for (int k = m; k < 3 * m; k++) a[k] = 0;
  for (int k = 1; k < n * m; k++) a[k] = 0;
}
// CHECK-LABEL: nest in parts at {{.*}}:17:3
// CHECK: a write, must-write exact [1:2:1][0:m-1:1]
// CHECK-LABEL: nest in parts at {{.*}}:18:3
// CHECK: a write at most (whole)

// The device writes all of what is read there: nothing of it is sent.
// REPORT-LABEL: flat-walks.c:5:smooth
// REPORT-NOT: a h2d
// REPORT: a d2h 1x 3.8 MiB [0:n-1:1][0:m-1:1]
// REPORT-NOT: a h2d
// REPORT: The 2 kernels
