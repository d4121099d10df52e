// Memory that a function allocates, fills and returns, by itself or in a struct, or leaves behind a pointer.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args 60 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}11 kernels;
// CHECK: Mutants: 14 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>
struct field {
  double *p;
  int n;
};

static double *made(int n, const double *from) {
  double *p = malloc(n * sizeof *p);
  if (p == NULL)
    return NULL;
  for (int i = 0; i < n; i++)
    p[i] = 2 * from[i];
  return p;
}

static struct field wrapped(int n) {
  struct field f;
  f.n = n;
  f.p = malloc(n * sizeof *f.p);
  for (int i = 0; i < n; i++)
    f.p[i] = 3 * i;
  return f;
}

static void left(double **a, int n) {
  *a = malloc(n * sizeof **a);
  for (int i = 0; i < n; i++)
    (*a)[i] = n - i;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 30;
  double *u = malloc(n * sizeof *u);
  for (int i = 0; i < n; i++)
    u[i] = rand() % 100;
  double *v = made(n, u);
  struct field f = wrapped(n);
  double *x;
  left(&x, n);
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i - 1] + u[i + 1];
    for (int i = 1; i < n - 1; i++)
      u[i] = 0.25 * v[i] + f.p[i];
  }
  for (int i = 0; i < n; i++)
    x[i] += v[n - 1 - i];
  for (int i = 0; i < n; i++)
    printf("%g %g %g %g\n", u[i], v[i], f.p[i], x[i]);
}
