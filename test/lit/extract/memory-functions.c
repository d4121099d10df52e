// RUN: %busfare extract %s -- | FileCheck %s
// memset and memcpy are loops over their ranges.
#include <string.h>
void f(double *a, double *b, int n) {
  memset(a, 0, n * sizeof *a);          // CHECK: for it = 0 .. n - 1 algorithm
                                        // CHECK-NEXT: write a[it]
  memcpy(b + 2, a, sizeof(double) * 10); // CHECK: for it.2 = 0 .. 9 algorithm
                                         // CHECK-NEXT: read a[it.2]
                                         // CHECK-NEXT: write b[it.2 + 2]
}
