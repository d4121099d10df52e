// RUN: %busfare verify --no-progress --mutants --kernels all flags.c | %FileCheck %s
// RUN: %busfare verify --no-progress --kernels all flags.c --args 0 | %FileCheck %s --check-prefix=NONE
//
// All kernels run by one flag, which data sets: in the region it is set, as ported code tests where it begins, so that what
// it writes need not go in; and nothing crosses if it is not.
#include <stdio.h>
#include <stdlib.h>
// CHECK: verify: passed
// CHECK: in {{ *}}main {{ *}}h2d {{.*}} equal
// CHECK-NOT: out {{ *}}main {{ *}}h2d
// CHECK: out {{ *}}main {{ *}}d2h {{.*}} equal
// CHECK: Mutants: {{[1-9][0-9]*}} caught, {{[0-9]+}} excused, 0 survived
// NONE: verify: passed
// NONE: 0 kernels
static double out[500] = {1, 2, 3};
int main(int argc, char **argv) {
  int n = 500;
  _Bool failed = 0;
  double *in = malloc(n * sizeof(double)), *mid = malloc(n * sizeof(double));
  if (!in || !mid)
    failed = 1;
  if (argc > 1 && atoi(argv[1]) == 0)
    failed = 1;
  unsigned seed = 7;
  for (int i = 0; i < n && !failed; i++) {
    seed = seed * 1103515245u + 12345u;
    in[i] = (seed >> 16) % 1000;
    printf("%g\n", in[i]);
  }
  if (!failed)
    for (int i = 0; i < n; i++)
      mid[i] = in[i] + 1;
  if (!failed)
    for (int i = 0; i < n; i++)
      out[i] = 2 * mid[i];
  for (int i = 0; i < n; i++)
    printf("%g\n", out[i]);
  free(in);
  free(mid);
  return 0;
}
