// What a function that is followed in place returns early, inside a branch, is known behind it by symbols of its own.
// RUN: %busfare extract %s -- > %t 2> %t.err
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=WHOLE --allow-empty < %t.err
// CHECK-LABEL: function main(
// CHECK: define g.n{{[.0-9]*}} usually 0 because "g.n depends on a condition"
// WHOLE-NOT: left out
#include <stdio.h>
#include <stdlib.h>
struct grid { long n; double *u; };
struct grid grid_init(int kind, int n) {
  struct grid g;
  g.n = 0;
  if (kind == 1) { g.n = n; g.u = malloc(g.n * 8); for (int i = 0; i < n; i++) g.u[i] = i; }
  if (kind >= 4) return g;
  if (kind == 2) g.n = 0;
  return g;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), kind = atoi(argv[2]);
  struct grid g = grid_init(kind, n);
  double s = 0;
  for (int i = 0; i < g.n; i++) s += g.u[i];
  printf("%g\n", s);
}
