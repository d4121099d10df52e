// What a program's own code makes of a record's pointer and its length: kept together, or not.
// RUN: %busfare extract %s -- | %FileCheck %s --check-prefix=KEPT
// RUN: %busfare extract %s -- -DKEPT=0 | %FileCheck %s --check-prefix=KEPT
// RUN: %busfare extract %s -- -DKEPT=1 | %FileCheck %s --check-prefix=KEPT
// RUN: %busfare extract %s -- -DKEPT=2 | %FileCheck %s --check-prefix=KEPT
// RUN: %busfare extract %s -- -DLOST=0 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=1 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=2 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=3 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=4 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=5 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=6 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=7 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=8 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=9 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=10 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=11 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=12 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=13 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=14 | %FileCheck %s --check-prefix=LOST
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct Grid { int nx, ny; double *u; };
double sum(const struct Grid *g, const int *at, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += g->u[at[i]];
  return s;
}
// KEPT: function sum(
// KEPT: array `g->u` : f64[`g->nx` + 2*`g->ny`] parameter
// LOST: function sum(
// LOST: array `g->u` : f64[?] parameter
static void make(struct Grid *g, int nx, int ny) {
  int cells = nx + 2 * ny;
  double *u = malloc(cells * sizeof *u);
  for (int i = 0; i < cells; i++) u[i] = 0;
  g->nx = nx;
  g->ny = ny;
  g->u = u;
}
#ifndef KEPT
#define KEPT -1
#endif
#ifndef LOST
#define LOST -1
#endif
static void change(struct Grid *g, struct Grid *h, int n) {
#if KEPT == 0 // memory that is gone, or nulls
  if (g->u != NULL) free(g->u);
  g->nx = g->ny = 0;
#elif KEPT == 1 // more memory
  g->nx++;
  g->u = realloc(g->u, (g->nx + 2 * g->ny) * sizeof(double));
#elif KEPT == 2 // all fields of another one
  g->u = h->u;
  g->ny = h->ny;
  g->nx = h->nx;
#elif LOST == 0 // one field of another one
  g->u = h->u;
#elif LOST == 1 // part of a record
  memcpy(g, h, sizeof(int));
#elif LOST == 2 // other code in between
  g->nx = n;
  change(h, g, 1);
  g->u = malloc((n + 2 * g->ny) * sizeof(double));
#elif LOST == 3 // two that may be one
  g->nx = n;
  h->nx = 2 * n;
  h->u = malloc((2 * n + 2 * h->ny) * sizeof(double));
  g->u = malloc((n + 2 * g->ny) * sizeof(double));
#elif LOST == 4 // a variable that is another value by then
  g->nx = n++;
  g->ny = 0;
  g->u = malloc(n * sizeof(double));
#elif LOST == 5 // the old length
  g->u = malloc((g->nx + 2 * g->ny) * sizeof(double));
  g->nx = n;
#elif LOST == 6 // from a file
  if (!fread(g, sizeof *g, 1, stdin)) abort();
#elif LOST == 7
  if (scanf("%d", &g->nx) != 1) abort();
#elif LOST == 8 // as bytes
  ((char *)g)[0] = 1;
#elif LOST == 9 // as something else
  union { struct Grid g; int words[8]; } both = {*g};
  both.words[0] = n;
  *g = both.g;
#elif LOST == 10 // on some way out
  g->nx = n;
  if (n < 0) return;
  g->u = malloc((n + 2 * g->ny) * sizeof(double));
#elif LOST == 11 // another object by then
  g->nx = n;
  g++;
  g->u = malloc((n + 2 * g->ny) * sizeof(double));
#elif LOST == 12 // inside of memory
  g->u = g->u + 1;
#elif LOST == 13 // which may be anywhere
  __asm__ volatile("" ::"r"(g) : "memory");
#elif LOST == 14 // as bytes, to whoever takes them
  void *any = g;
  *(int *)any = n;
#endif
}
int main(int argc, char **argv) {
  struct Grid g, h;
  int at[2] = {0, 1};
  make(&g, argc + 2, 3);
  make(&h, argc + 3, 3);
  change(&g, &h, argc + 5);
  return sum(&g, at, 2) > 0;
}
