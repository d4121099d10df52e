// RUN: %busfare extract %s | %FileCheck %s
// The condition of a `do` may step what it asks about, after the body; so may a pointer's.
// CHECK-LABEL: function before(
// CHECK: for i = 0 .. max(0, n - 1) do
void before(double *a, int n) {
  int i = 0;
  do a[i] = 1;
  while (++i < n);
}
// CHECK-LABEL: function after(
// CHECK: for i = 0 .. max(0, n) do
void after(double *a, int n) {
  int i = 0;
  do a[i] = 1;
  while (i++ < n);
}
// CHECK-LABEL: function down(
// CHECK: for i = n .. min(1, n) step -1 do
void down(double *a, int n) {
  int i = n;
  do a[i] = 1;
  while (--i > 0);
}
// CHECK-LABEL: function both(
// CHECK: for i = 0 .. max(0, n - 1) step 2 do
// CHECK: write a[2*floor(max(0, n - 1) / 2) + 2]
void both(double *a, int n) {
  int i = 0;
  do {
    a[i] = 1;
    ++i;
  } while (++i < n);
  a[i] = 2;
}
// CHECK-LABEL: function pointer(
// CHECK: for it = 0 .. max(0, n - 1) do
// CHECK-NEXT: write a[it]
void pointer(double *a, int n) {
  double *p = a, *e = a + n;
  do *p = 1;
  while (++p < e);
}
// CHECK-LABEL: function pointer_after(
// CHECK: for it = 0 .. max(0, n) do
void pointer_after(double *a, int n) {
  double *p = a, *e = a + n;
  do *p = 1;
  while (p++ != e);
}
// CHECK-LABEL: function steps(
// CHECK: for it = 0 .. n - 1 at
// CHECK-NEXT: write a[it]
// CHECK: for it.2 = 0 .. n - 1 at
// CHECK-NEXT: write b[n - it.2]
void steps(double *a, double *b, int n) {
  for (double *p = a; p < a + n; p++) *p = 1;
  for (double *p = b + n; p != b; --p) *p = 1;
}
