// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
// CHECK-NOT: divided
void quarter(unsigned n, double *a) {
  for (unsigned i = 0; i < n / 4; i++) a[i] = 0;
}
void halve(int n, double *a) {
  // CHECK: BF044.c:[[#@LINE+1]]:23: note: `n` is divided here, and taken not to be negative
  for (int i = 0; i < n / 2; i++) a[i] = 0;
}
