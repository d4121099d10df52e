// RUN: %busfare sizes %s -- | FileCheck %s
// RUN: %busfare sizes %s --format json -- | FileCheck %s --check-prefix=JSON
// RUN: %busfare sizes %s --param g.nx=64 -- | FileCheck %s --check-prefix=GIVEN
// RUN: not %busfare sizes %s --param nx=64 -- 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %busfare extract %s -- > %t.skel && %busfare sizes %t.skel | FileCheck %s
#include <stdio.h>
#include <stdlib.h>
struct grid { int nx, ny; double *u; };
static const int halo = 2;
static void set(struct grid *g, int argc, char **argv) {
  g->nx = 200;
  if (argc > 1) g->nx = atoi(argv[1]);
}
static void step(double *u, int n, int m) {
  for (int i = halo; i < n - halo; i++)
    for (int j = 0; j < m; j++) u[i * m + j] *= 0.5;
}
int main(int argc, char **argv) {
  struct grid g;
  int rows;
  set(&g, argc, argv);
  scanf("%d", &rows);
  g.ny = 3 * g.nx;
  g.u = malloc(sizeof(double) * g.nx * g.ny);
  step(g.u, g.nx, g.ny);
  step(g.u, rows, g.ny);
  printf("%g\n", g.u[0]);
  return 0;
}
// CHECK: Sizes of main
// CHECK: Bound
// CHECK-NEXT: main::g.nx = 200, declared: g.nx after set (sizes.c:{{[0-9]+}})
// CHECK-NEXT: extent of g.u; 3 loops
// CHECK: Open: nothing binds them; --param NAME=VALUE does
// CHECK-NEXT: main::rows = {{[0-9]+}}, assumed
// CHECK-NEXT: 1 loop
// CHECK: Passed by callers
// CHECK: step::n = 200, caller: g.nx (sizes.c:25)
// CHECK: step::m = 600, caller: 3*g.nx (sizes.c:25)
// CHECK: step::n = {{[0-9]+}}, caller: rows (sizes.c:26)
// CHECK-NOT: step::m
// JSON: "name": "main::g.nx",
// JSON-NEXT: "value": 200,
// JSON-NEXT: "source": "declared",
// UNKNOWN: --param nx: no size of this name; there are main::argc, main::g.nx, main::rows
// GIVEN: main::g.nx = 64, command line
// GIVEN: step::m = 192, caller
