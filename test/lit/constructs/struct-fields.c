// Sizes and arrays that are fields of a struct.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 12 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

struct grid {
  int nx, ny;
  double *u, *v;
};

static void step(struct grid *g) {
  for (int j = 1; j < g->ny - 1; j++)
    for (int i = 1; i < g->nx - 1; i++)
      g->v[j * g->nx + i] = (g->u[j * g->nx + i - 1] + g->u[j * g->nx + i + 1]) / 2;
}

int main(int argc, char **argv) {
  struct grid g = {argc > 1 ? atoi(argv[1]) : 10, 9, 0, 0};
  g.u = malloc(g.nx * g.ny * sizeof(double));
  g.v = malloc(g.nx * g.ny * sizeof(double));
  for (int i = 0; i < g.nx * g.ny; i++)
    g.u[i] = g.v[i] = rand() % 100;
  step(&g);
  for (int i = 0; i < g.nx * g.ny; i++)
    printf("%g\n", g.v[i]);
  return 0;
}
