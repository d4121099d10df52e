// With --one-thread, statements between kernels for which arrays would cross in each step are target regions without teams. What they
// set among the program's numbers comes back; arrays of their own are the device's
// RUN: %busfare port --kernels all --one-thread %s | sed -e '/\/\/ /d' | %FileCheck %s
// RUN: %busfare port --kernels all --one-thread %s --format json | %FileCheck --check-prefix=JSON %s
// RUN: not %busfare port --one-thread %s 2>&1 | %FileCheck --check-prefix=USAGE %s
// RUN: not %busfare analyze --one-thread %s 2>&1 | %FileCheck --check-prefix=ANALYZE %s
// USAGE: --one-thread needs --kernels all or marked
// ANALYZE: --one-thread is for port and verify
#include <stdio.h>

static double norm(double a, double b) { return a * a + b * b; }

void relax(int n, int steps, double *restrict u, double *restrict v) {
  double change = 0, last = 0;
  // CHECK: for (int t = 0; t < steps; t++) {
  // CHECK-NOT: update
  for (int t = 0; t < steps; t++) {
    // CHECK: #pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i - 1] + u[i + 1];
    // CHECK: #pragma omp target map(alloc: v[0:n]) map(tofrom: change, last) if(busfare_runs)
    // CHECK-NEXT: {
    double border[2] = {v[1], 0};
    for (int k = 1; k < 2; k++)
      border[k] += v[k + 1] + border[k - 1];
    v[0] = 0.5 * norm(border[0], border[1]);
    last = v[0];
    // CHECK: if (last > 4)
    if (last > 4)
      v[0] = 4;
    change += last;
    // CHECK: v[n - 1] = v[n - 2];
    // CHECK-NEXT: }
    v[n - 1] = v[n - 2];
    // CHECK: #pragma omp target teams distribute parallel for
    for (int j = 1; j < n - 1; j++)
      u[j] = v[j - 1] + v[j + 1];
  }
  printf("%g %g\n", change, last);
}

// JSON: "one_thread": true
