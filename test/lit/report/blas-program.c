// RUN: %busfare blas --program blas-program.c --machine v100-pcie3 | %FileCheck %s
// RUN: %busfare blas --program blas-program.c --machine v100-pcie3 --format json | %FileCheck %s --check-prefix=JSON
// RUN: %busfare blas --program blas-program.c --machine v100-pcie3 --function twice --param n=2048 | %FileCheck %s --check-prefix=OWN
// RUN: %busfare blas --program ../cli/Inputs/good.c | %FileCheck %s --check-prefix=NONE
// RUN: sh -c '%busfare blas --program none.c 2>&1; %busfare blas --program blas-program.c --machine a100-pcie4 --machine v100-pcie3 2>&1; echo exit=$?' | %FileCheck %s --check-prefix=WRONG
// How often the BLAS calls of a program read each matrix again before something writes it.
#include <stdlib.h>
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);

static void fill(int n, double *a) {
  for (int i = 0; i < n * n; i++) a[i] = i % 7;
}

int main(void) {
  int n = 2048;
  double *a = malloc(sizeof(double) * n * n), *b = malloc(sizeof(double) * n * n), *c = malloc(sizeof(double) * n * n);
  fill(n, a);
  fill(n, b);
  for (int t = 0; t < 10; t++) {
    cblas_dgemm(101, 111, 111, n, n, n, 1.0, a, n, b, n, 0.0, c, n);
    for (int i = 0; i < n; i++) b[i] = c[i] * 0.5;
  }
  double s = 0;
  for (int i = 0; i < n * n; i++) s += c[i];
  return s > 0;
}

void twice(int n, const double *restrict x, const double *restrict y, double *restrict z, double *restrict w) {
  cblas_dgemm(101, 111, 111, n, n, n, 1.0, x, n, y, n, 0.0, z, n);
  cblas_dgemm(101, 111, 111, n, n, n, 1.0, y, n, z, n, 0.0, w, n);
}

// CHECK: BLAS calls of main on v100-pcie3
// CHECK: blas-program.c:20:5 dgemm 10
// CHECK: a 32.0 MiB 10 1 9
// CHECK-NEXT: b 32.0 MiB 10 10 0 blas-program.c:21:33
// CHECK: Kept on the device, inputs save
// CHECK-NOT: Assumed
// CHECK: BLAS calls of twice on v100-pcie3
// CHECK: y 8.0 MiB 2 1 1
// CHECK: - Assumed: twice::n = 1024 assumed; --param NAME=VALUE says otherwise.

// JSON: "output": "residency",
// JSON: "location": "blas-program.c:20:5",
// JSON: "again": 9,

// OWN: BLAS calls of twice on v100-pcie3
// OWN: x 32.0 MiB 1 1 0
// OWN-NEXT: y 32.0 MiB 2 1 1
// OWN-NEXT: z 32.0 MiB 1 1 0

// NONE: No BLAS calls in this program.

// WRONG: none.c
// WRONG: busfare: blas is about one --machine, found 2
// WRONG-NEXT: exit=2
