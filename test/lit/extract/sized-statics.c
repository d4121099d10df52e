// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare loops sized-statics.c | %FileCheck %s --check-prefix=LOOPS
//
// A static pointer that is only ever set to new memory leads to as much as was asked for, wherever that was.
#include <stdlib.h>
// CHECK: global array table : f64[?] static{{.*}} sized at
// CHECK-NEXT: global array out : f64[?] at
// CHECK-NEXT: global array shown : f64[?] static pointee at
// CHECK-NEXT: global array passed : f64[?] static pointee at
static double *table, *passed, *shown;
double *out;
void set(double **where);
void make(int n, double *given) {
  table = malloc(n * sizeof(double));
  if (n > 9) {
    free(table);
    table = (double *)calloc(2 * n, sizeof(double));
  }
  out = malloc(n * sizeof(double));
  passed = n > 5 ? given : malloc(n * sizeof(double));
  set(&shown);
}
// LOOPS: known bounds for 2.
void take(int n, const int *col, double *x) {
  for (int i = 0; i < n; i++) x[i] = table[col[i]];
  for (int i = 0; i < n; i++) x[i] = passed[col[i]];
  for (int i = 0; i < n; i++) x[i] = shown[col[i]];
  for (int i = 0; i < n; i++) x[i] = out[col[i]];
}
