// RUN: %busfare extract --quiet static-pointers.c | %FileCheck %s
//
// A static pointer of a function that is only set to new memory is one array, whichever call has set it.
#include <stdlib.h>
// CHECK: global array work : f64[?] static pointee sized
// CHECK-NOT: global array loose {{.*}} sized
// CHECK-LABEL: function part(
// CHECK: alloc work[3*m]
// CHECK: write work[m*p + 2*p]
// CHECK: update work[? from table plus
// CHECK: read work[3]
double part(const double *a, const int *table, int n, int m, int thread) {
  static double *work;
  if (thread == 0)
    work = malloc(m * 3 * sizeof(double));
  for (int p = 0; p < n; p++)
    work[p * (m + 2)] = a[p];
  double *own = &work[thread * (m + 2)];
  for (int i = 0; i < n; i++)
    own[table[i]] += a[i];
  double result = work[3];
  if (thread == 0)
    free(work);
  return result;
}
// CHECK-LABEL: function other(
// CHECK: array loose{{.*}} : f64[?] alias
double other(double *a, int n, int first) {
  static double *loose;
  if (first)
    loose = a;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += loose[i];
  return s;
}
