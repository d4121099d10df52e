// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, int steps, double *u, double *v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) v[i] = u[i];
    double *swap = u;
    u = v;
    v = swap;
  }
  // CHECK: BF036.c:{{[0-9:]+}}: note: names change places in every iteration (u <- v)
}
