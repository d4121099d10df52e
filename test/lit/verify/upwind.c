// Statics behind calls that are not seen, sizes kept in memory, subscripts that data chooses, and gotos, in kernels.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | %FileCheck %s
// CHECK: verify: passed
#include <stdio.h>
#include <stdlib.h>

static int size[2];
static double (*flow)[48];
static double (*value)[48];
static double result[40][48];

static void init(int rows, int columns) {
  size[0] = rows, size[1] = columns;
  flow = malloc(rows * sizeof *flow);
  value = malloc(rows * sizeof *value);
  for (int k = 0; k < rows; k++)
    for (int j = 0; j < columns; j++) {
      flow[k][j] = (k * 7 + j * 13) % 11 - 5;
      value[k][j] = (k * 5 + j * 3) % 17;
    }
}

static void upwind(void) {
  for (int k = 0; k < size[0]; k++)
    for (int j = 2; j < size[1] - 1; j++) {
      int donor, far;
      if (flow[k][j] > 0) {
        donor = j - 1, far = j - 2;
      } else {
        donor = j, far = j + 1;
      }
      result[k][j] = 2.0 * value[k][donor] - value[k][far];
    }
}

static void limit(void) {
  for (int k = 0; k < size[0]; k++)
    for (int j = 0; j < size[1]; j++) {
      if (result[k][j] > 20.0) goto large;
      if (result[k][j] < 0.0) goto next;
      value[k][j] = 0.5 * result[k][j];
      goto next;
    large:
      value[k][j] = 20.0;
    next:
      result[k][j] += value[k][j];
    }
}

int main(void) {
  init(40, 48);
  for (int t = 0; t < 3; t++) {
    upwind();
    printf("step %d\n", t);
    limit();
  }
  double sum = 0;
  for (int k = 0; k < size[0]; k++)
    for (int j = 0; j < size[1]; j++) sum += result[k][j];
  printf("%g\n", sum);
  free(flow);
  free(value);
  return 0;
}
