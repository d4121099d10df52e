// Pointers to structs swapped in the time loop: what their fields lead to changes places, and numbers among the fields do.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 7 | %FileCheck %s
// RUN: %busfare sections %s | %FileCheck --check-prefix=BOXES %s
// CHECK: verify: passed
// CHECK: {{^ *}}7 kernels;
// CHECK: Mutants: 8 caught, 0 excused, 0 survived
// BOXES: nest in main at {{.*}}swapped-structs.c:37
// BOXES: next->u write at most [1:38:1]
// BOXES: now->u write at most [1:38:1]
#include <stdio.h>
#include <stdlib.h>

struct grid {
  int n;
  double scale, *u;
};

static struct grid *made(int n, double scale) {
  struct grid *g = malloc(sizeof *g);
  g->n = n;
  g->scale = scale;
  g->u = malloc(n * sizeof *g->u);
  for (int i = 0; i < n; i++)
    g->u[i] = rand() % 100;
  return g;
}

static void step(const struct grid *from, struct grid *to) {
  for (int i = 1; i < from->n - 1; i++)
    to->u[i] = from->scale * (from->u[i - 1] + from->u[i] + from->u[i + 1]) / 3;
}

int main(int argc, char **argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 5;
  struct grid *now = made(40, 1.0), *next = made(40, 0.5);
  for (int t = 0; t < steps; t++) {
    step(now, next);
    struct grid *old = now;
    now = next;
    next = old;
  }
  for (int i = 0; i < now->n; i++)
    printf("%.9g\n", now->u[i]);
  printf("%g %g\n", now->scale, next->u[3]);
  return 0;
}
