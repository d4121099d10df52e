// Sizes that nobody gave leave loops something to do; sizes that somebody gave may leave them nothing, which is said.
// RUN: %busfare analyze --function calc_w %s | %FileCheck %s
// RUN: %busfare analyze --function calc_w --param halo=600 --param y=1000 %s | %FileCheck --check-prefix=NOTHING %s
// CHECK-NOT: PORT
// CHECK: KEEP ON THE HOST
// CHECK: 8 (assumed): calc_w::halo
// NOTHING: Nothing runs at these sizes: bounds leave its loops no turn.
// NOTHING-NOT: PORT
void calc_w(int x, int y, int halo, const double *p, double *w) {
  for (int j = halo; j < y - halo; ++j)
    for (int k = halo; k < x - halo; ++k)
      w[k + j * x] = 4.0 * p[k + j * x] - p[k - 1 + j * x] - p[k + 1 + j * x];
}
