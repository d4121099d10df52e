// RUN: %busfare loops --quiet %s | %FileCheck %s
//
// An element of a table that is given by reference to code that is not seen, or overwritten byte by byte, may be another pointer
// afterwards: in the next iteration both rows may be one.
#include <cstring>
#include <utility>
void unseen(double *&, double *&);
static void (*pointer)(double *&, double *&);
// CHECK-LABEL: {{^}}exchanged (
// CHECK: ..i no
void exchanged(double **a, int n) {
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n - 1; i++) a[0][i] = a[1][i + 1] * 0.5;
    std::exchange(a[0], a[1]);
  }
}
// CHECK-LABEL: {{^}}given (
// CHECK: ..i no
void given(double **a, int n) {
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n - 1; i++) a[0][i] = a[1][i + 1] * 0.5;
    unseen(a[0], a[1]);
  }
}
// CHECK-LABEL: {{^}}byPointer (
// CHECK: ..i no
void byPointer(double **a, int n) {
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n - 1; i++) a[0][i] = a[1][i + 1] * 0.5;
    pointer(a[0], a[1]);
  }
}
// CHECK-LABEL: {{^}}copied (
// CHECK: ..i no
void copied(double **a, int n) {
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n - 1; i++) a[0][i] = a[1][i + 1] * 0.5;
    std::memcpy((char *)a, (char *)(a + 1), sizeof(double *));
  }
}
// CHECK-LABEL: {{^}}left (
// CHECK: ..i yes
void left(double **a, int n) {
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n - 1; i++) a[0][i] = a[1][i + 1] * 0.5;
}
