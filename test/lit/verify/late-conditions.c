// Whether the region runs is known inside the function that is called: device memory begins there, not before.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// CHECK: verify: passed
// CHECK: {{[0-9]+}} kernels
#include <stdio.h>
#include <stdlib.h>
static void step(float *result, float *temp, int row, int col) {
  int chunks = row * col / 16, in_row = col / 4;
  for (int b = 0; b < chunks; b++) {
    int from = 4 * (b % in_row);
    if (from == 0)
      continue;
    for (int i = from; i < from + 4; i++)
      result[i] = temp[i] * 0.5f;
  }
}
static void solve(float *result, int times, float *temp, int row, int col) {
  float *r = result, *t = temp;
  for (int k = 0; k < times; k++) {
    step(r, t, row, col);
    float *swap = t;
    t = r;
    r = swap;
  }
}
int main(int argc, char **argv) {
  int row, col, times;
  if ((row = atoi(argc > 1 ? argv[1] : "8")) <= 0 || (col = atoi(argc > 2 ? argv[2] : "8")) <= 0 || (times = atoi(argc > 3 ? argv[3] : "3")) <= 0)
    exit(1);
  float *a = calloc(row * col, sizeof *a), *b = calloc(row * col, sizeof *b);
  for (int i = 0; i < row * col; i++) {
    float v;
    a[i] = scanf("%f", &v) == 1 ? v : i;
  }
  solve(b, times, a, row, col);
  for (int i = 0; i < row * col; i++)
    printf("%g %g\n", a[i], b[i]);
  return 0;
}
