// New memory on one way only: on the other a caller's field, or a global, leads to what it led to, which may be larger.
// RUN: %busfare extract %s | %FileCheck %s
#include <stdlib.h>

// CHECK: global array q : f64[?]
double *q;
struct grid {
  int n;
  double *u;
};

// CHECK-LABEL: function behind(
// CHECK: array `g->u` : f64[?] parameter
void behind(struct grid *g, const int *at) {
  if (g->n == 0) {
    g->n = 1;
    g->u = malloc(sizeof(double));
  }
  for (int i = 0; i < g->n; i++)
    g->u[at[i]] *= 2;
}

// CHECK-LABEL: function by_value(
// CHECK: array g.u : f64[?] parameter
void by_value(struct grid g, const int *at) {
  if (g.n == 0) {
    g.n = 1;
    g.u = malloc(sizeof(double));
  }
  for (int i = 0; i < g.n; i++)
    g.u[at[i]] *= 2;
}

void global(int n, const int *at) {
  if (n == 0) {
    n = 1;
    q = malloc(sizeof(double));
  }
  for (int i = 0; i < n; i++)
    q[at[i]] *= 2;
}

// Perhaps no iteration makes any.
// CHECK-LABEL: function in_turn(
// CHECK: array `g->u` : f64[?] parameter
void in_turn(struct grid *g, int n, int times, const int *at) {
  for (int i = 0; i < n; i++)
    g->u[at[i]] *= 2;
  for (int k = 0; k < times; k++) {
    free(g->u);
    g->u = malloc(n * sizeof(double));
  }
  for (int i = 0; i < n; i++)
    g->u[at[i]] *= 2;
}

// Nor has it one size if it is used before it is replaced.
// CHECK-LABEL: function replaced(
// CHECK: array `g->u` : f64[?] parameter
void replaced(struct grid *g, int n, const int *at) {
  for (int i = 0; i < g->n; i++)
    g->u[at[i]] *= 2;
  free(g->u);
  g->u = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    g->u[at[i]] = 2;
}

// On the way without an allocation, an iteration has what the one before it made.
// CHECK-LABEL: function remade(
// CHECK: array g.u : f64[?] parameter
struct grid remade(int n) {
  struct grid g;
  g.n = n;
  g.u = malloc(n * sizeof(double));
  for (int t = 0; t < 4; t++) {
    if (t == 1) {
      free(g.u);
      g.n = 3 * n;
      g.u = malloc(3 * n * sizeof(double));
    } else {
      g.n = n;
    }
  }
  return g;
}
