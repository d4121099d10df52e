// RUN: %busfare sections %s --param incx=1 --param incy=1 -- | FileCheck %s
// RUN: %busfare loops %s --param incx=1 --param incy=1 -- | FileCheck %s --check-prefix=LOOPS
// RUN: %busfare sections %s --param incx=2 --param incy=0 -- | FileCheck %s --check-prefix=OTHER
// A stride that is given is a number in subscripts, for a product of two symbols has no place in a set.
void copy(int n, const double *restrict x, int incx, double *restrict y, int incy) {
  for (int i = 0; i < n; i++) // LOOPS: i {{ *}}yes
    y[i * incy] = x[i * incx];
}
// CHECK: x {{ *}}read, live-in {{ *}}exact {{ *}}[0:n-1:1]
// CHECK: y {{ *}}write, must-write {{ *}}exact {{ *}}[0:n-1:1]
// OTHER: x {{ *}}read, live-in {{ *}}exact {{ *}}[0:2*n-2:2]
// OTHER: y {{ *}}write {{ *}}at most {{ *}}[0:0:1]
