// RUN: %busfare extract %s -- | FileCheck %s
// Fields behind a pointer are formals of their own, and callers pass them.
#include <stdlib.h>
typedef struct {
  int nx, ny;
  double *u, *v;
  double h;
} Grid;
void alloc(Grid *g, int nx, int ny) {
  g->nx = nx;
  g->ny = ny;
  g->u = malloc(nx * ny * sizeof(double)); // CHECK: alloc `g->u`[nx*ny]
  g->v = malloc(nx * ny * sizeof(double));
}
void step(Grid *g) { // CHECK: function step(other g, param `g->nx`, param `g->ny`
  for (int i = 0; i < g->nx; i++)
    for (int j = 0; j < g->ny; j++)
      g->v[i * g->ny + j] = g->h * g->u[i * g->ny + j]; // CHECK: write `g->v`[`g->ny`*i + j]
}
void swap(Grid *g) {
  double *t = g->u;
  g->u = g->v;
  g->v = t;
} // CHECK: rotate `g->u` <- `g->v`, `g->v` <- `g->u`
int main(void) {
  Grid g;              // CHECK: array g.u : f64[20000] heap
  alloc(&g, 100, 200); // CHECK: call alloc(?, 100, 200,
  step(&g);            // CHECK: call step(?, 100, 200,
  swap(&g);            // CHECK: call swap(?, &g.u, &g.v)
  return 0;
}
