// RUN: %busfare extract %s -- | FileCheck %s
// RUN: %busfare loops %s -- | FileCheck %s --check-prefix=LOOPS
// What branches leave in a variable is one value for all iterations of a loop that does not change it.
void pack(int kind, int n, int m, double *restrict field, double *restrict buffer) {
  int more;
  if (kind == 1) more = 0;
  if (kind == 2) more = 1;
  for (int k = 0; k < m; k++)
    for (int j = 0; j < n; j++) buffer[k * n + j] = field[k * (n + more) + j];
}
// CHECK: function pack(
// CHECK: define more because "more" at
// CHECK-NEXT: for k = 0 .. m - 1
// CHECK-NEXT: for j = 0 .. n - 1
// CHECK: read field[k*more + k*n + j]
// LOOPS: 8 k yes

// What a loop sets anew is not.
void other(int n, const int *restrict key, double *restrict out) {
  int last;
  for (int i = 0; i < n; i++) {
    if (key[i] > 0) last = key[i];
    out[i] = last;
  }
}
// CHECK: function other(
// CHECK-NOT: define last
// CHECK: for i = 0 .. n - 1
