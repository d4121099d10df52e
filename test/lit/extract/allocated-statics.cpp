// RUN: %busfare extract %s -- | %FileCheck %s
// A static pointer that is initialised to fresh memory, and never set again, names memory of its own, of a known size.
#include <cstdlib>
constexpr int NA = 1400;
static double (*a)[5] = (double(*)[5])malloc(sizeof(double) * 5 * NA);
static int *col = new int[NA];
static double *moved = (double *)malloc(sizeof(double) * NA);
static double *swapped = (double *)malloc(sizeof(double) * NA);
double *visible = (double *)malloc(sizeof(double) * NA);
// CHECK-DAG: global array a : f64[1400][5] static
// CHECK-DAG: global array col : i32[1400] static
// CHECK-DAG: global array moved : f64[?] static
// CHECK-DAG: global array swapped : f64[?] static
// CHECK-DAG: global array visible : f64[?] pointee at
void use(int n) {
  for (int i = 0; i < n; i++) a[i][0] = col[i] + moved[i] + visible[i] + swapped[i];
}
void move() { moved = visible; }
void change(double *&p) { p = visible; }
void pass() { change(swapped); }
