// Memory that a helper gives back and gets anew in the middle of a region is not that which the device has.
// RUN: %busfare port %s 2>&1 >/dev/null | %FileCheck %s
// CHECK: the memory of g.u is another one behind an allocation inside the region [BF040]
#include <stdio.h>
#include <stdlib.h>
enum { N = 100 };
struct grid { double *u; };

static void again(struct grid *g) {
  free(g->u);
  g->u = malloc(N * sizeof(double));
}

int main(void) {
  struct grid g;
  double w[N];
  g.u = malloc(N * sizeof(double));
  for (int i = 0; i < N; i++) g.u[i] = i;
  for (int i = 0; i < N; i++) w[i] = 2 * g.u[i];
  again(&g);
  for (int i = 0; i < N; i++) g.u[i] = 2 * w[i];
  printf("%g\n", g.u[7]);
  free(g.u);
}
