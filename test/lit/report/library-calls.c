// RUN: %busfare analyze --details library-calls.c --machine v100-pcie3 --param n=4096 | %FileCheck %s
// RUN: %busfare analyze library-calls.c --machine v100-pcie3 --param n=4096 --format json | %FileCheck %s --check-prefix=JSON
// A BLAS call among kernels: its operands cross, nothing else; what it would take on the device stands beside it.
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);

void smooth(int n, int sweeps, double *restrict a, const double *restrict b, double *restrict c, double *restrict other) {
  for (int s = 0; s < sweeps; s++) {
    for (int i = 0; i < n * n; i++) {
      a[i] = a[i] * 0.5 + 1.0;
      other[i] = other[i] + a[i];
    }
    cblas_dgemm(101, 111, 111, n, n, n, 1.0, a, n, b, n, 0.0, c, n);
    for (int i = 0; i < n * n; i++)
      other[i] = other[i] + c[i];
  }
}

// CHECK: a d2h 1x 128.0 MiB
// CHECK: On the host, between the kernels
// CHECK-NEXT: library-calls.c:12:5: cblas_dgemm
// CHECK: Library calls that stay on the host take
// CHECK: {{^}}Library calls
// CHECK: library-calls.c:12 cblas_dgemm 1 1.4e11 {{[0-9.]+}} ms {{[0-9.]+}} ms {{[0-9]+}}
// CHECK: dgemm, m = n = 4,096, n = n = 4,096, k = n = 4,096; A = a (on the device),
// CHECK-NEXT: B = b, C = c (on the device)
// CHECK: The plan leaves them on the host, where their time is part of the
// CHECK-NOT: BF003
// CHECK: remark: cblas_dgemm is a call of BLAS

// JSON: "name": "other",
// JSON: "library_calls": [
// JSON: "call": "cblas_dgemm",
// JSON: "routine": "dgemm",
// JSON: "name": "m",
// JSON-NEXT: "formula": "n",
// JSON-NEXT: "value": 4096
// JSON: "operand": "A",
// JSON-NEXT: "array": "a",
// JSON-NEXT: "on_device": true
// JSON: "flops": 137438953472,
// JSON: "machine": "v100-pcie3",
// JSON: "equation": "queues",
// JSON-NEXT: "kernel_times": "roofline"
