// RUN: %busfare extract %s -- | %FileCheck %s
// RUN: %busfare extract %s -- -fno-strict-aliasing | %FileCheck --check-prefix=LOOSE %s
// A size kept in memory is one symbol, defined before the outermost loop that does not write it.
static int size[3];
void set(const int *from) {
  for (int d = 0; d < 3; d++) size[d] = from[d];
}
// CHECK-LABEL: function fixed(
// LOOSE-LABEL: function fixed(
void fixed(double *a, int n) {
  // CHECK: define `size[1]`
  // CHECK: for k =
  // LOOSE: define `size[1]`
  // LOOSE: for k =
  for (int k = 0; k < n; k++)
    // CHECK-NOT: define
    // CHECK: read size[1]
    // CHECK: for j = 0 .. `size[1]` - 1
    for (int j = 0; j < size[1]; j++)
      if (j < size[1] - 1) a[k * 100 + j] = 0; // CHECK: if `size[1]` - j - 2 >= 0
}
// CHECK-LABEL: function pointed(array a, array m, param n, param `*m`)
// LOOSE-LABEL: function pointed(
void pointed(double *a, const int *m, int n) {
  // Doubles are written, no ints: unless the compiler is told that they may overlap.
  // What is there on entry, by its own formal.
  // CHECK: for k =
  // LOOSE: for k =
  // LOOSE: define `*m`
  for (int k = 0; k < n; k++)
    for (int j = 0; j < *m; j++) a[k * 100 + j] = 0;
}
// CHECK-LABEL: function written(
// LOOSE-LABEL: function written(
void written(int *a, const int *m, int n) {
  // CHECK: for k =
  // CHECK: define
  for (int k = 0; k < n; k++)
    for (int j = 0; j < *m; j++) a[k * 100 + j] = 0;
}
static void bump(int k) { size[1] = k; }
// CHECK-LABEL: function changes(
void changes(double *a, int n) {
  // CHECK: for k =
  // CHECK: define `size[1]`
  for (int k = 0; k < n; k++) {
    bump(k);
    for (int j = 0; j < size[1]; j++) a[k * 100 + j] = 0;
  }
}
#include <stdio.h>
// CHECK-LABEL: function reads(
void reads(double *a, int n) {
  // CHECK: for k =
  // CHECK: define `size[1]`
  for (int k = 0; k < n; k++) {
    scanf("%d", &size[1]);
    for (int j = 0; j < size[1]; j++) a[k * 100 + j] = 0;
  }
}
// CHECK-LABEL: function perRow(
void perRow(double *a, const int *m, int n) {
  // CHECK: for k =
  // CHECK: define `m[k]`
  for (int k = 0; k < n; k++)
    for (int j = 0; j < m[k]; j++) a[k * 100 + j] = 0; // CHECK: for j = 0 .. `m[k]` - 1
}
static void solution(double x, double *out) { out[0] = x; }
// A call writes what its source lets it.
// CHECK-LABEL: function calls(
void calls(double *a) {
  double e[1];
  // CHECK: define `size[2]`
  // CHECK: define `size[1]`
  // CHECK: for k = 0 .. `size[2]` - 1
  for (int k = 0; k < size[2]; k++)
    // CHECK: for j = 0 .. `size[1]` - 1
    for (int j = 0; j < size[1]; j++) {
      solution(k, e);
      a[k * 100 + j] = e[0];
    }
}
void unseen(void);
int shared[3];
// CHECK-LABEL: function calls_unseen(
void calls_unseen(double *a) {
  // CHECK: define trips because "i < shared[0]"
  for (int i = 0; i < shared[0]; i++) {
    a[i] = 1;
    unseen();
  }
}
int rows, columns;
void timer(void);
// A global that unseen code may have changed before is one number for the loops that leave it alone.
// CHECK-LABEL: function after_unseen(
void after_unseen(double (*a)[100]) {
  timer();
  // CHECK: define rows
  // CHECK-NEXT: define columns
  // CHECK-NEXT: for k = 0 .. rows - 1
  for (int k = 0; k < rows; k++)
    // CHECK: for j = 0 .. columns - 1
    for (int j = 0; j < columns; j++) a[k][j] = 0;
  // CHECK: define trips{{.*}} because "k < rows"
  // CHECK: for k.2 =
  // CHECK: define columns.2
  timer();
  for (int k = 0; k < rows; k++) {
    timer();
    for (int j = 0; j < columns; j++) a[k][j] = 0;
  }
}
// CHECK-LABEL: function after_unseen_through(
void after_unseen_through(double (*a)[100], int *p) {
  timer();
  // CHECK: for k = 0 ..
  // CHECK: define columns
  for (int k = 0; k < 10; k++) {
    for (int j = 0; j < columns; j++) a[k][j] = 0;
    *p = k;
  }
}
