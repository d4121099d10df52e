// Subscripts that data chooses among known ones, and gotos, in kernels.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | %FileCheck %s
// CHECK: verify: passed
#include <stdio.h>
#include <stdlib.h>

static void upwind(int rows, int columns, const double *restrict flow, const double *restrict value, double *restrict result) {
  for (int k = 0; k < rows; k++)
    for (int j = 2; j < columns - 1; j++) {
      int donor, far;
      if (flow[k * columns + j] > 0) {
        donor = j - 1, far = j - 2;
      } else {
        donor = j, far = j + 1;
      }
      result[k * columns + j] = 2.0 * value[k * columns + donor] - value[k * columns + far];
    }
}

static void limit(int n, double *restrict value, double *restrict result) {
  for (int i = 0; i < n; i++) {
    if (result[i] > 20.0) goto large;
    if (result[i] < 0.0) goto next;
    value[i] = 0.5 * result[i];
    goto next;
  large:
    value[i] = 20.0;
  next:
    result[i] += value[i];
  }
}

int main(void) {
  int rows = 40, columns = 48, n = rows * columns;
  double *flow = malloc(n * sizeof *flow), *value = malloc(n * sizeof *value), *result = malloc(n * sizeof *result);
  for (int i = 0; i < n; i++) {
    flow[i] = i * 13 % 11 - 5;
    value[i] = i * 3 % 17;
    result[i] = 1.0;
  }
  for (int t = 0; t < 3; t++) {
    upwind(rows, columns, flow, value, result);
    printf("step %d\n", t);
    limit(n, value, result);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += result[i];
  printf("%g\n", sum);
  free(flow);
  free(value);
  free(result);
  return 0;
}
