// RUN: %busfare analyze --details blas-on-device.c --machine h100-sxm5 | %FileCheck %s
// RUN: %busfare analyze blas-on-device.c --machine h100-sxm5 --format json > %t.json && %busfare schema report > %t.schema && %python Inputs/check_json.py %t.schema %t.json
// RUN: %FileCheck %s --check-prefix=JSON < %t.json
// RUN: sh -c '%busfare port blas-on-device.c --machine h100-sxm5 2>&1' | %FileCheck %s --check-prefix=PORT
// A call of BLAS between two kernels of a time loop: on the device its operands would stay there. port does not write that, and the verdict is of what it writes.
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
#define N 2048
static double a[N][N], b[N][N], c[N][N];

int main(void) {
  for (int t = 0; t < 200; ++t) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) a[i][j] = a[i][j] * 0.5 + c[i][j];
    cblas_dgemm(101, 111, 111, N, N, N, 1.0, &a[0][0], N, &b[0][0], N, 0.0, &c[0][0], N);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) c[i][j] = c[i][j] * 0.5 + a[i][j];
  }
  return c[3][4] > 5;
}

// CHECK-NOT: PORT
// CHECK: {{^}}The plan
// CHECK: The call at line [[#CALL:]] by the device's library: {{.*}} (h2d 96.0 MiB, d2h
// CHECK-NEXT: 8 B). busfare port does not write this: by hand, a call of cuBLAS or
// CHECK-NEXT: libbusfare-blas on what lies on the device.
// CHECK: blas-on-device.c:[[#CALL]]:5: cblas_dgemm
// CHECK: Library calls that stay on the host take

// JSON: "kind": "statements-on-device",
// JSON: "library_calls": [
// JSON: "line": 14,
// JSON: "h2d_moved_bytes": 100663296,
// JSON: "d2h_moved_bytes": 8,
// JSON: "emitted": false,
// JSON-NEXT: "is_plan": false,
// JSON: "verdict": "{{keep|measure}}",
// JSON: "call": "cblas_dgemm",

// PORT: blas-on-device.c:14:5: remark: cblas_dgemm stays on the host: ports have no calls of the device's library
