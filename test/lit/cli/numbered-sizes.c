// A variable that has several values has several symbols; its name in the source binds them all.
// RUN: %busfare sizes %s --param rows=4000 --param main::cols=5000 -- | FileCheck %s
// RUN: %busfare sizes %s --param rows=4000 --param rows.2=6000 -- | FileCheck %s --check-prefix=ONE
// RUN: not %busfare sizes %s --param row=4000 -- 2>&1 | FileCheck %s --check-prefix=UNKNOWN
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rows, cols;
  if (argc == 3) {
    rows = atoi(argv[1]);
    cols = atoi(argv[2]);
    if (rows % 16 || cols % 16) exit(1);
  } else
    exit(1);
  float *a = malloc(sizeof(float) * rows * cols);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) a[i * cols + j] = i + j;
  float s = 0;
  for (int i = 0; i < rows * cols; i++) s += a[i];
  printf("%f %f\n", s, a[5]);
  free(a);
}
// CHECK-DAG: main::rows.2 = 4000, command line
// CHECK-DAG: main::cols.2 = 5000, command line
// CHECK-DAG: main::rows = 4000, command line
// ONE-DAG: main::rows.2 = 6000, command line
// ONE-DAG: main::rows = 4000, command line
// UNKNOWN: --param row: no size of this name
