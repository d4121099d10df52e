// Functions, sizes and arrays across files.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s %S/Inputs/files-spread.c --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}6 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>
#include "Inputs/files.h"

int main(void) {
  for (int i = 0; i < cells; i++)
    field[i] = rand() % 100;
  double *other = malloc(cells * sizeof *other);
  for (int t = 0; t < 3; t++) {
    spread(other, field, cells);
    spread(field, other, cells);
  }
  for (int i = 0; i < cells; i++)
    printf("%.9g\n", field[i]);
  free(other);
  return 0;
}
