// RUN: %busfare extract %s | %FileCheck %s
// memcpy and memset of a row, of a plane, or of a piece of one row touch just that.
#include <string.h>
// CHECK-LABEL: function rows(
// CHECK: for i = 0 .. n - 1
// CHECK-NEXT: for it = 0 .. m - 1
// CHECK-NEXT: read b[i][it]
// CHECK-NEXT: write a[i][it]
void rows(int n, int m, double a[n][m], double b[n][m]) {
  for (int i = 0; i < n; i++) memcpy(a[i], b[i], m * sizeof(double));
}
// CHECK-LABEL: function planes(
// CHECK: write a[k][it][it.2]
void planes(double a[][4][8], int n) {
  for (int k = 0; k < n; k++) memset(a[k], 0, sizeof a[k]);
}
// CHECK-LABEL: function pieces(
// CHECK: for it = 0 .. 5
// CHECK-NEXT: write a[k][it + 1]
void pieces(double a[][8], int n) {
  for (int k = 0; k < n; k++) memset(&a[k][1], 0, 6 * sizeof(double));
}
// More than the row: no box is said.
// CHECK-LABEL: function beyond(
// CHECK: may write a[?][?]
void beyond(double a[][8], int n) {
  for (int k = 0; k < n; k++) memset(&a[k][1], 0, 8 * sizeof(double));
}
// CHECK-LABEL: function all(
// CHECK: write a[it][it.2]
void all(double a[16][8]) { memset(a, 0, 16 * 8 * sizeof(double)); }
// What overlaps is moved from the far end.
// CHECK-LABEL: function moved(
// CHECK: for it = 6 .. 0 step -1
// CHECK-NEXT: read a[k][it]
// CHECK-NEXT: write a[k][it + 1]
void moved(double a[][8], int n) {
  for (int k = 0; k < n; k++) memmove(&a[k][1], &a[k][0], 7 * sizeof(double));
}
// CHECK-LABEL: function line(
// CHECK: for it = 0 .. 7
// CHECK-NEXT: read b[it]
// CHECK-NEXT: write a[k][it]
void line(double a[][8], const double *b, int n) {
  for (int k = 0; k < n; k++) memcpy(a[k], b, sizeof a[k]);
}
