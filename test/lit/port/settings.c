// RUN: %busfare port %s --kernels all --quiet | FileCheck %s
// RUN: %busfare verify %s --rebuild "-DROWS=9 -DCOLS=12 -DSTEPS=3" --quiet | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: verify: passed
// Sizes that a build may set have their names in the port, or those of parameters that hold them. What only numbers say of
// them the compiler tests.
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 300
#endif
#ifndef COLS
#define COLS 200
#endif
#ifndef STEPS
#define STEPS 4
#endif
#define CELLS (ROWS * COLS)
#define DEPTH 3
// CHECK: _Static_assert({{.*}}COLS > {{.*}}ROWS > {{.*}}DEPTH == 3, "busfare has planned the transfers for such sizes");

static double field[ROWS][COLS];

static void smooth(double *to, const double *from, int rows, int cols) {
  // CHECK: #pragma omp target teams distribute parallel for
  // CHECK: map(alloc: from[0:{{(\(long\))?}}{{rows \* cols|cols \* rows}}], to[
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      to[i * cols + j] = 0.5 * from[i * cols + j] + DEPTH;
}

int main(void) {
  double *u = malloc(CELLS * sizeof(double)), *v = malloc(sizeof(double) * CELLS);
  if (!u || !v) return 1;
  for (int k = 0; k < CELLS; k++) u[k] = rand() % 100;
  // CHECK: #pragma omp target enter data
  // CHECK: map(alloc: u[0:(long){{ROWS \* COLS|COLS \* ROWS}}])
  for (int t = 0; t < STEPS; t++) {
    smooth(v, u, ROWS, COLS);
    smooth(u, v, ROWS, COLS);
  }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++)
      field[i][j] = u[i * COLS + j];
  double sum = 0;
  for (int i = 0; i < ROWS; i++) sum = sum / 2 + field[i][COLS - 1];
  printf("%.12g\n", sum);
  free(u);
  free(v);
  return 0;
}
