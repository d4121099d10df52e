// Memory that a callee makes is called as the field that will hold it; that in its loop another pointer may be that field, with
// what it held before, is a second object, and both are declared.
// RUN: %busfare extract %s | %FileCheck %s
// CHECK-NOT: left out
// CHECK: function setup(
// CHECK: array SD.poles : struct<40>[in.n]
// CHECK: alloc SD.poles[in.n]
// CHECK: for j = 0
// CHECK: write SD.poles[i] part 0 + 16
#include <stdlib.h>
typedef struct { double r, i; } complex_number;
typedef struct { complex_number a, b; short l; } pole;
typedef struct { int *n_poles; unsigned long length; pole *poles; int most; } simulation;
typedef struct { int n, m; } input;
simulation get(input in);
pole *make(input in, int *np);
simulation setup(input in) {
  simulation SD = get(in);
  SD.poles = make(in, SD.n_poles);
  return SD;
}
pole *make(input in, int *np) {
  pole *R = (pole *)malloc(in.n * sizeof(pole));
  for (int i = 0; i < in.n; i++)
    for (int j = 0; j < np[i]; j++) {
      complex_number t1 = {1, 1};
      R[i].a = t1;
    }
  return R;
}
