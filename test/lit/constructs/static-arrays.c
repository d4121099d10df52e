// Arrays of two and three dimensions, static and automatic.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { X = 7, Y = 6, Z = 5 };
static double cube[X][Y][Z];
double flat[X][Y];

int main(void) {
  double edge[X];
  for (int i = 0; i < X; i++)
    for (int j = 0; j < Y; j++)
      for (int k = 0; k < Z; k++)
        cube[i][j][k] = rand() % 100;
  for (int i = 0; i < X; i++)
    for (int j = 0; j < Y; j++) {
      flat[i][j] = 0;
      for (int k = 0; k < Z; k++)
        flat[i][j] += cube[i][j][k];
    }
  for (int i = 0; i < X; i++)
    edge[i] = flat[i][0] - flat[i][Y - 1];
  for (int i = 0; i < X; i++)
    printf("%g %g\n", edge[i], flat[i][2]);
  return 0;
}
