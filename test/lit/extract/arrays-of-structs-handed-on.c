// A pointer to structs that is only handed on is an array if who gets it takes it as one, directly or by a copy.
// RUN: %busfare loops %s | %FileCheck %s
// CHECK: main (
// CHECK: 22 i yes no two iterations touch the same element
// CHECK: 24 i yes no two iterations touch the same element
#include <stdio.h>
#include <stdlib.h>
typedef struct { double energy, total; } Point;
static double lookUp(double e, long at, const Point *grid) {
  Point low = grid[at], high = grid[at + 1];
  return high.total - (high.energy - e) / (high.energy - low.energy) * (high.total - low.total);
}
static double middle(double e, int i, const Point *grid) { return lookUp(e, i, grid) + lookUp(e, i + 1, grid); }
static double copied(int i, const Point *grid) {
  const Point *p = grid;
  return p[i].energy;
}
int main(void) {
  int n = 100;
  Point *grid = malloc((n + 2) * sizeof(Point));
  double *result = malloc(n * sizeof(double)), *other = malloc(n * sizeof(double));
  for (int i = 0; i < n + 2; i++) grid[i].energy = i, grid[i].total = 2 * i;
  for (int i = 0; i < n; i++) result[i] = middle(i + 0.25, i, grid);
  for (int i = 0; i < n; i++) other[i] = copied(i, grid);
  for (int i = 0; i < n; i++) printf("%g %g\n", result[i], other[i]);
}
