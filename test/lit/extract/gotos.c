// RUN: %busfare extract %s -- | %FileCheck %s
// A goto that leads ahead is a branch, a break or a continue.
// CHECK-LABEL: function around(
void around(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) { // CHECK: for i = 0 .. n - 1 at
    if (a[i] > 0) goto L20;     // CHECK: if ?
                                // CHECK-NEXT: write b[2*i]
                                // CHECK-NEXT: } else {
    b[i] = 1;                   // CHECK-NEXT: write b[i]
    goto L30;
  L20:
    b[2 * i] = 2;
  L30:
    a[i] = 3; // CHECK: write a[i] at
  }
}
// CHECK-LABEL: function next(
void next(int n, const double *a, double *restrict b) {
  for (int i = 0; i < n; i++) { // CHECK: for i = 0 .. n - 1 at
    if (i < 3) goto next;       // CHECK: if 2 - i >= 0
    b[i] = a[i];                // CHECK: else
                                // CHECK: write b[i]
  next:;
  }
}
// Out of both loops: they may be left early, and what follows them may be jumped over.
// CHECK-NOT: host
// CHECK-LABEL: function search(
int search(int n, int m, const double *a, double *restrict b) {
  int at = 0;
  for (int i = 0; i < n; i++)   // CHECK: for i = 0 .. n - 1 early-exit
    for (int j = 0; j < m; j++) // CHECK: for j = 0 .. m - 1 early-exit
      if (a[i * m + j] < 0) {
        at = i * m + j;
        goto found;
      }
  b[0] = 1; // CHECK: if ? rest
            // CHECK: write b[0]
found:
  b[1] = 2; // CHECK: write b[1] at
  return at;
}
// What a variable holds at the label is what it held at one of the gotos, or before it.
// CHECK-LABEL: function merged(
void merged(int n, const double *a, double *restrict b) {
  int k = 1;
  if (a[0] > 0) goto end;
  k = 2;
  if (a[1] > 0) goto end;
  k = 5;
end: // CHECK: define k{{.*}} in 1 .. 5
  for (int i = 0; i < k * n; i++) b[i] = 0; // CHECK: for i = 0 .. k.2*n - 1
}
// Two that cross, and one that goes back over both: nothing is known of what runs in which order.
// CHECK-LABEL: function knot(
void knot(int n, double *a, double *restrict b) {
  int k = 1;
  b[0] = 1; // CHECK: write b[0] at
  if (a[0] > 0) goto two; // CHECK: host unsupported "goto"
  k = 2;
one:
  b[k] = 0; // CHECK: may write b[?]
two:
  k++;
  if (k < n) goto one;
  b[k] = 3; // CHECK: define k
            // CHECK: write b[k
}
// A label that is reached from before the choice as well.
// CHECK-LABEL: function both(
void both(const double *a, double *restrict b) {
  int k = 1;
  if (a[0] > 0) goto middle;
  k = 2;
  if (a[1] > 0) goto last;
  k = 3;
middle: // CHECK: define k{{.*}} in 1 .. 3
  b[k] = 1; // CHECK: write b[k]
  goto end;
last:
  b[k] = 2; // CHECK: write b[2]
end:;
}
