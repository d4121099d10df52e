// RUN: %busfare analyze chosen-by-data.c --param n=1000000 | %FileCheck %s
// RUN: %busfare sizes chosen-by-data.c --param n=1000000 | %FileCheck %s --check-prefix=SIZES
//
// Which element an iteration takes is nobody's to set; how many rows a list has is.
// CHECK: Region
// CHECK: flow {{ *}}h2d {{ *}}1x
// CHECK: Sizes and assumptions
// CHECK-NOT: donor
// CHECK-NOT: BF008
// CHECK: Next
// SIZES: upwind::n = 1000000, command line
void upwind(int n, const double *restrict flow, const double *restrict density, double *restrict mass) {
  for (int i = 1; i < n - 1; i++) {
    int donor;
    if (flow[i] > 0)
      donor = i - 1;
    else
      donor = i + 1;
    mass[i] = flow[i] * density[donor];
  }
}
