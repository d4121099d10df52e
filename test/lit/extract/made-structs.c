// A function that makes a struct with pointers in it, and gives that: what the pointers lead to is known where it is called,
// because it is walked there.
// RUN: %busfare extract %s | %FileCheck %s
#include <stdio.h>
#include <stdlib.h>

struct grid {
  int n;
  double *cells, *old;
};

struct grid *empty_grid(int n) {
  struct grid *made = malloc(sizeof *made);
  if (!made) {
    perror("no memory");
    exit(1);
  }
  made->n = n;
  made->cells = malloc(n * sizeof(double));
  made->old = NULL;
  return made;
}

struct grid *new_grid(int n) { // around another
  struct grid *made = empty_grid(n + 2);
  made->old = malloc((n + 2) * sizeof(double));
  return made;
}

// Who calls it from another unit finds what the fields lead to in host memory.
struct grid *ramp(int n) {
  struct grid *made = empty_grid(n);
  for (int i = 0; i < n; i++) made->cells[i] = 2.0 * i;
  return made;
}
// CHECK-LABEL: function ramp(
// CHECK: write `made->cells`[i]
// CHECK: host allocation "made->cells is handed on"
// CHECK-NEXT: may read `made->cells`[?]

// So it is with one that is left where others find it, whatever its fields were set from.
struct list {
  struct grid *head;
};
void put(struct list *l, int n) {
  struct grid *made = empty_grid(n);
  double *old = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) made->cells[i] = old[i] = 2.0 * i;
  made->old = old;
  l->head = made;
}
// CHECK-LABEL: function put(
// CHECK-DAG: host allocation "made->cells is handed on"
// CHECK-DAG: host allocation "old is handed on"

// Not what is given back before it ends.
void scratch(struct list *l, int n) {
  struct grid *made = empty_grid(n);
  made->old = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) made->cells[i] = made->old[i] = 2.0 * i;
  free(made->old);
  made->old = NULL;
  l->head = made;
}
// CHECK-LABEL: function scratch(
// CHECK: host allocation "made->cells is handed on"
// CHECK-NOT: made->old is handed on

// CHECK-LABEL: function smooth(
// CHECK-DAG: array `g->cells` : f64[n + 2] heap
// CHECK-DAG: array `g->old` : f64[n + 2] heap
double smooth(const double *a, int n) {
  struct grid *g = new_grid(n);
  // CHECK: alloc `g->cells`[n + 2]
  // CHECK: alloc `g->old`[n + 2]
  for (int i = 0; i < g->n; i++) g->old[i] = a[i];
  // CHECK: for i = 0 .. n + 1
  // CHECK: write `g->old`[i]
  for (int i = 1; i < n + 1; i++) g->cells[i] = g->old[i - 1] + g->old[i + 1];
  // CHECK: read `g->old`[{{.*}} - 1]
  // CHECK: write `g->cells`[
  return g->cells[n / 2];
}

// Which of two structs it gives is known only while it runs, and so is what their fields lead to.
struct grid *either(int n, int which) {
  struct grid *a = empty_grid(n), *b = empty_grid(2 * n);
  return which ? a : b;
}
// CHECK-LABEL: function first(
// CHECK-NOT: array `{{.*}}->cells` : f64[n]
// CHECK: array `g->cells` : f64[?] alias
// CHECK: call either(
// CHECK: write `g->cells`[?]
double first(int n, int which) {
  struct grid *g = either(n, which);
  for (int i = 0; i < n; i++) g->cells[i] = i;
  return g->cells[0];
}

// One that calls itself is walked once, and what it gives itself is not known.
struct grid *deep(int n) {
  struct grid *made = malloc(sizeof *made);
  made->cells = malloc(n * sizeof(double));
  made->old = n > 1 ? deep(n - 1)->cells : NULL;
  return made;
}
// CHECK-LABEL: function of_deep(
// CHECK: array `heap->cells` : f64[?] alias
// CHECK: call deep(n - 1)
// CHECK: for i =
// CHECK-NOT: write `g->
// CHECK: write `heap->cells`[i]
double of_deep(int n) {
  struct grid *g = deep(n);
  for (int i = 0; i < n; i++) g->old[i] = i;
  return g->old[0];
}
