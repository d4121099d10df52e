// Fields that lead to arrays of structs, rows that are handed on, values that branches leave before a loop.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | %FileCheck %s
// RUN: %busfare verify %s --no-progress --mutants | %FileCheck %s
// CHECK: verify: passed
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double weight, cost;
  long assign;
} Point;
typedef struct {
  long num;
  int dim;
  Point *p;
} Points;

static double apart(const double *x, const double *y, int m) {
  double sum = 0;
  for (int k = 0; k < m; k++) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sum;
}

static void relax(double *to, const double *from, int m) {
  for (int k = 0; k < m; k++) to[k] = 0.5 * (to[k] + from[k]);
}

static void costs(Points *points, double *restrict cost) {
  for (long k = 0; k < points->num; k++) cost[k] = points->p[k].weight * points->p[k].cost + points->p[k].assign;
}

static void raise(Points *points, double by) {
  for (long k = 0; k < points->num; k++) points->p[k].cost += by;
}

static void pack(int kind, int n, int m, const double *restrict field, double *restrict buffer) {
  int more = -1, first;
  if (kind == 1) more = 0, first = 1;
  else more = 1, first = 0;
  for (int k = 0; k < m; k++)
    for (int j = 0; j < n - first; j++) buffer[k * n + j] = field[k * (n + more) + j + first];
}

int main(int argc, char **argv) {
  int n = 60 + argc, m = 40;
  Points points = {n, m, malloc(n * sizeof(Point))};
  double *cost = malloc(n * sizeof *cost), *field = malloc((n + 1) * m * sizeof *field), *buffer = calloc(n * m, sizeof *buffer);
  double **rows = malloc(n * sizeof *rows), *far = malloc(n * sizeof *far);
  for (int i = 0; i < n; i++) {
    points.p[i].weight = i % 7;
    points.p[i].cost = i * 3 % 11;
    points.p[i].assign = i % 5;
    rows[i] = malloc(m * sizeof **rows);
    for (int k = 0; k < m; k++) rows[i][k] = (i * 5 + k * 3) % 13;
  }
  for (int i = 0; i < (n + 1) * m; i++) field[i] = i % 23;
  for (int t = 0; t < 3; t++) {
    costs(&points, cost);
    raise(&points, 0.25 * t);
    pack(t, n, m, field, buffer);
    for (int i = 0; i < n; i++) far[i] = apart(rows[0], rows[i], m);
    for (int i = 1; i < n; i++) relax(rows[i - 1], rows[i], m);
    printf("step %d\n", t);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += cost[i] + 2 * far[i] + points.p[i].cost + rows[i][i % m];
  for (int i = 0; i < n * m; i++) sum += buffer[i] * (i % 3);
  printf("%.12g\n", sum);
  for (int i = 0; i < n; i++) free(rows[i]);
  free(rows), free(far), free(cost), free(field), free(buffer), free(points.p);
  return 0;
}
