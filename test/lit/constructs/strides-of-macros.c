// Run-time strides in macros, as CloverLeaf writes Fortran's arrays.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 10 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

#define FTNREF2D(i, j, width, x0, y0) (((i) - (x0)) + (width) * ((j) - (y0)))

static void flux(int x_min, int x_max, int y_min, int y_max, const double *density, double *out) {
  for (int k = y_min; k <= y_max; k++)
    for (int j = x_min; j <= x_max; j++)
      out[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] = 0.5 * (density[FTNREF2D(j - 1, k, x_max + 4, x_min - 2, y_min - 2)] +
                                                                     density[FTNREF2D(j, k + 1, x_max + 4, x_min - 2, y_min - 2)]);
}

int main(int argc, char **argv) {
  int x = argc > 1 ? atoi(argv[1]) : 8, y = 6, n = (x + 4) * (y + 4);
  double *density = malloc(n * sizeof *density), *out = malloc(n * sizeof *out);
  for (int i = 0; i < n; i++)
    density[i] = rand() % 100, out[i] = -i;
  flux(1, x, 1, y, density, out);
  for (int i = 0; i < n; i++)
    printf("%g\n", out[i]);
  free(density);
  free(out);
  return 0;
}
