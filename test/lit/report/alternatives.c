// What crosses in each step, and the other ways to divide the work, with their price.
// RUN: %busfare analyze --details alternatives.c --param n=1000000 --param steps=100 | %FileCheck %s
// RUN: %busfare analyze alternatives.c --param n=1000000 --param steps=100 --format json > %t.json && %busfare schema report > %t.schema && %python Inputs/check_json.py %t.schema %t.json
// RUN: %busfare analyze alternatives.c --param n=1000000 --param steps=100 --format json | %FileCheck --check-prefix=JSON %s

void relax(int n, int steps, double *restrict u, double *restrict v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i - 1] + u[i + 1];
    v[0] = 0.5 * v[1];
    for (int j = 1; j < n - 1; j++)
      u[j] = v[j - 1] + v[j + 1];
  }
}

// CHECK: The plan
// CHECK: With all kernels on the device and everything else on the host: {{.*}}, and v
// CHECK-NEXT: cross{{(es)?}} inside a loop. Instead:
// CHECK: The statement at line 10 by one thread of the device: {{.*}}
// CHECK: The kernel at line 11 on the host:
// JSON: "kind": "statements-on-device"
// JSON: "line": 10
// JSON: "because_of"
// JSON: "v"
// JSON: "emitted": false
