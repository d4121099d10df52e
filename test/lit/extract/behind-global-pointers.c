// A callee goes by a global pointer to a struct that has a name of its own here: what it does to the fields is not known by
// that name.
// RUN: %busfare extract %s | %FileCheck %s
#include <stdlib.h>

struct grid {
  int n;
  double *u;
};
static struct grid *shown;

static void grow(void) { shown->n *= 2; }

// CHECK-LABEL: function grown(
// CHECK: host opaque "grow"
// CHECK: define [[N:.*]] because "g.n"
// CHECK: read g.n
// CHECK: for i{{.*}} = 0 .. [[N]] - 1
double grown(int n) {
  struct grid g;
  g.n = n;
  g.u = calloc(2 * n, sizeof(double));
  shown = &g;
  grow();
  double sum = 0;
  for (int i = 0; i < g.n; i++)
    sum += g.u[i];
  return sum;
}
