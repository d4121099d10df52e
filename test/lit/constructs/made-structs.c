// Structs that a function makes, with the arrays their fields lead to; another leaves one behind a pointer.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}11 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { n = 4000 };

struct grid {
  int size;
  double *cells, *old;
};

struct grid *new_grid(int size) {
  struct grid *made = malloc(sizeof *made);
  if (!made) exit(1);
  made->size = size;
  made->cells = malloc(size * sizeof(double));
  made->old = malloc(size * sizeof(double));
  return made;
}

struct holder {
  struct grid *held;
};

void leave(struct holder *h, int size) {
  struct grid *made = new_grid(size);
  for (int i = 0; i < size; i++) made->cells[i] = 0.5 * i;
  h->held = made;
}

int main(void) {
  struct grid *g = new_grid(n);
  for (int i = 0; i < n; i++) g->old[i] = i % 17;
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i < n - 1; i++) g->cells[i] = 0.25 * (g->old[i - 1] + 2.0 * g->old[i] + g->old[i + 1]);
    for (int i = 1; i < n - 1; i++) g->old[i] = g->cells[i];
  }
  struct holder h;
  leave(&h, n);
  for (int i = 1; i < n - 1; i++) printf("%.6f %.6f\n", g->cells[i], g->old[i]);
  printf("%.6f %.6f %.6f\n", g->old[0], g->old[n - 1], h.held->cells[n / 2]);
  free(g->cells);
  free(g->old);
  free(g);
  return 0;
}
