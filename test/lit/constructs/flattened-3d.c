// A pointer with linear subscripts, seen as three dimensions.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int nx = 6, ny = 7, nz = 8;
  float *u = malloc(sizeof(float) * nx * ny * nz), *v = malloc(sizeof(float) * nx * ny * nz);
  for (int i = 0; i < nx * ny * nz; i++)
    u[i] = v[i] = rand() % 100;
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++)
        v[x + nx * (y + ny * z)] = u[x + nx * (y + ny * (z - 1))] + u[x + nx * (y + ny * (z + 1))];
  for (int i = 0; i < nx * ny * nz; i++)
    printf("%g\n", v[i]);
  free(u);
  free(v);
  return 0;
}
