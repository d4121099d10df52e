// Sizes that are given by their address, as Fortran does: what is there on entry is a formal of its own.
// RUN: %busfare extract entry-elements.c | %FileCheck entry-elements.c
// RUN: %busfare sizes entry-elements.c | %FileCheck entry-elements.c --check-prefix=SIZES
#include <stdlib.h>
static int cells = 640;
static double *field;

// CHECK-LABEL: function step_(array nx, array u, param `*nx`)
void step_(int *nx, double *u) {
  int n = *nx;
  for (int i = 0; i < n; i++) // CHECK: for i = 0 .. `*nx` - 1
    u[i] *= 2;
}

// Handed on; and an element of an array of them.
// CHECK-LABEL: function sweep_(array dims, array u, param `dims[1]`)
void sweep_(int *dims, double *u) {
  step_(&dims[1], u); // CHECK: call step_(&dims + 1, &u, `dims[1]`)
}

// CHECK-LABEL: function twice_(array nx, array u, param `*nx`)
void twice_(int *nx, double *u) {
  step_(nx, u);
  for (int i = 0; i < *nx; i++) // CHECK: for i = 0 .. `*nx` - 1
    u[i] += 1;
}

// Written before it is read: by its name, or perhaps by another one.
// CHECK-LABEL: function set_(array nx, array u) at
void set_(int *nx, double *u) {
  *nx = 7;
  for (int i = 0; i < *nx; i++) u[i] = 0;
}
// CHECK-LABEL: function either_(array nx, array other, array u) at
void either_(int *nx, int *other, double *u) {
  *other = 7;
  for (int i = 0; i < *nx; i++) u[i] = 0;
}
// CHECK-LABEL: function global_(array nx, array u) at
void global_(int *nx, double *u) {
  cells = 5;
  for (int i = 0; i < *nx; i++) u[i] = 0;
}
// CHECK-LABEL: function inside_(array nx, array u) at
void inside_(int *nx, double *u) {
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < *nx; i++) u[i] = 0;
    *nx -= 1;
  }
}
// Read first, written then.
// CHECK-LABEL: function next_(array nx, array u, param `*nx`) at
void next_(int *nx, double *u) {
  for (int i = 0; i < *nx; i++) u[i] += 3; // CHECK: for i = 0 .. `*nx` - 1
  *nx = 9;
  for (int i = 0; i < *nx; i++) u[i] = 0; // CHECK-NOT: for i{{.*}} .. `*nx` - 1
}

// Written in a function that is read in its caller's place, in the statement that reads it.
struct Made {
  double *u;
  int n;
};
// CHECK-LABEL: function made(
static struct Made made(int *nx, double *u) {
  *nx = 5;
  for (int i = 0; i < *nx; i++) u[i] = 1;
  struct Made one = {u, *nx};
  return one;
}
// CHECK-LABEL: function inPlace_(array n, array u) at
// CHECK: write n[0]
// CHECK: define `*nx`
void inPlace_(int *n, double *u) {
  made(n, u);
}

// CHECK-LABEL: function main(
// SIZES-DAG: sweep_::dims[1] = 480, caller
// SIZES-DAG: twice_::*nx = 640, caller
int main(void) {
  int dims[2] = {320, 480};
  field = malloc(640 * sizeof *field);
  for (int t = 0; t < 10; t++) {
    twice_(&cells, field); // CHECK: call twice_(&cells, &field, 640)
    sweep_(dims, field);   // CHECK: call sweep_(&dims, &field, 480)
  }
  int n = 100;
  next_(&n, field); // CHECK: call next_(&n, &field, 100)
  next_(&n, field); // CHECK: call next_(&n, &field, n)
  return field[3] > 1;
}
