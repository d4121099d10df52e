// RUN: %busfare analyze --details %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, int steps, double *restrict u, double *restrict v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) v[i] = u[i - 1] + u[i + 1];
    double *swap = u;
    u = v;
    v = swap;
  }
  // CHECK: BF015.c:3:3: remark: nothing says how often the time loop runs
}
