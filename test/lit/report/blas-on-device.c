// RUN: %busfare analyze --details blas-on-device.c --machine h100-sxm5 | %FileCheck %s
// RUN: %busfare analyze blas-on-device.c --machine h100-sxm5 --format json > %t.json && %busfare schema report > %t.schema && %python Inputs/check_json.py %t.schema %t.json
// RUN: %FileCheck %s --check-prefix=JSON < %t.json
// RUN: sh -c '%busfare port blas-on-device.c --machine h100-sxm5 2>&1' | %FileCheck %s --check-prefix=PORT
// A call of BLAS between two kernels of a time loop: the plan has it on the device, where its operands stay; port does not write that.
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

// CHECK: PORT its only region
// CHECK: In the plan the
// CHECK-NEXT: device does 1 of them, and moves h2d 96.0 MiB (100,663,296 bytes), d2h 8 B.
// CHECK: {{^}}The plan
// CHECK: The call at line [[#CALL:]] by the device's library: {{.*}} (h2d 96.0 MiB, d2h
// CHECK-NEXT: 8 B). This is the plan, and what its times, speedup and verdict are of;
// CHECK-NEXT: busfare port leaves calls of BLAS on the host.
// CHECK: blas-on-device.c:[[#CALL]]:5: cblas_dgemm (in the plan on the device, by its
// CHECK-NEXT: library)
// CHECK: Library calls take {{.*}} modelled on the host; plans have some
// CHECK-NEXT: of them on the device.
// CHECK: busfare port leaves all of them on the host.

// JSON: "kind": "statements-on-device",
// JSON: "library_calls": [
// JSON: "line": 14,
// JSON: "h2d_moved_bytes": 100663296,
// JSON: "d2h_moved_bytes": 8,
// JSON: "emitted": false,
// JSON-NEXT: "is_plan": true,
// JSON: "kind": "kernels-on-host",
// JSON: "library_calls": [],
// JSON: "verdict": "port",
// JSON: "call": "cblas_dgemm",
// JSON: "planned_on": "device"

// PORT: blas-on-device.c:14:5: remark: cblas_dgemm stays on the host: ports have no calls of the device's library
