// Kernels that reach their arrays by names that cannot be mapped stay on the host: `void *`, threadprivate variables. Pointers in a struct that change places between two kernels do not matter.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress -- -fopenmp | FileCheck %s
// RUN: %busfare port %s -- -fopenmp 2>&1 >/dev/null | %FileCheck %s --check-prefix=PORT
// CHECK: verify: passed
// PORT-DAG: stays on the host: what p points to has no name at this place, or elements of another size
// PORT-DAG: stays on the host: per_thread is threadprivate
#include <stdio.h>
#include <stdlib.h>

struct grid {
  int n;
  double *u, *v;
};
static double per_thread[100], out[100];
static int offset = 3;
#pragma omp threadprivate(per_thread, offset)

static void twice(void *p, int n) {
  double *x = p;
  for (int i = 0; i < n; i++)
    x[i] *= 2;
}

static void add(void *p, const void *q, int n) {
  for (int i = 0; i < n; i++)
    ((double *)p)[i] += ((const double *)q)[i];
}

static void smooth(struct grid *g) {
  for (int i = 1; i < g->n - 1; i++)
    g->v[i] = g->u[i - 1] + g->u[i + 1];
  double *s = g->u;
  g->u = g->v;
  g->v = s;
  for (int i = 1; i < g->n - 1; i++)
    g->v[i] = g->u[i - 1] + g->u[i + 1];
}

int main(void) {
  struct grid g = {100, malloc(100 * sizeof(double)), malloc(100 * sizeof(double))};
  for (int i = 0; i < g.n; i++)
    g.u[i] = i, g.v[i] = 0;
  smooth(&g);
  twice(g.u, g.n);
  add(g.u, g.v, g.n);
  for (int i = 0; i < 100; i++)
    per_thread[i] = i + offset;
  for (int i = 0; i < 100; i++)
    out[i] = per_thread[i] * 2 + offset;
  for (int i = 0; i < g.n; i++)
    printf("%.10g %.10g %g\n", g.u[i], g.v[i], out[i]);
}
