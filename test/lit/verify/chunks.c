// A kernel in chunks: all orders that its dependences allow give the same, byte by byte; without any of them, or with a
// piece cut a level too late or too early, some order does not.
// RUN: env BUSFARE_TASK_SECONDS=60 %busfare verify --mutants %s --plan streams:3 --function smooth --function shift --function halves | %FileCheck %s
// RUN: env BUSFARE_TASK_SECONDS=60 %busfare verify --mutants %s --plan streams:3 --function smooth --function halves --format json | %FileCheck --check-prefix=JSON %s
// Fewer iterations than chunks, and none at all.
// RUN: env BUSFARE_TASK_SECONDS=60 BUSFARE_TASK_ORDERS=60 %busfare verify %s --plan streams:5 --function smooth --function shift --function halves --args 4 | %FileCheck %s --check-prefix=FEW
// RUN: env BUSFARE_TASK_SECONDS=60 BUSFARE_TASK_ORDERS=60 %busfare verify %s --plan streams:5 --function smooth --function shift --function halves --args 2 | %FileCheck %s --check-prefix=NONE
// An array of which nothing crosses at this size: its end lies in front of its beginning.
// RUN: env BUSFARE_TASK_SECONDS=60 %busfare verify %s --plan streams:3 --function late --args 3 | %FileCheck %s --check-prefix=NOTHING
// REQUIRES: gcc, offload
//
// CHECK: verify: passed
// CHECK: Bytes that crossed
// CHECK: a smooth h2d 160 160 equal
// CHECK: b smooth d2h 144 144 equal
// CHECK: Mutants: {{[0-9]+}} caught, 0 excused, 0 survived
// CHECK: a smooth h2d a level late caught
// CHECK: Chunks, their tasks in any order
// CHECK: smooth 3 9 280 all there are
// CHECK: shift 3 12 300 of more
// CHECK: halves 3 9 {{[0-9]+}} all there are
// CHECK: Dependences left out: {{[0-9]+}} caught, 0 excused, 0 survived
//
// JSON: "passed": true
// JSON: "streams": [
// JSON: "all_orders": true
// JSON: "orders": 280
// JSON: "tasks": 9
// JSON: "task_mutants": [
// JSON: "dependence": "the copies to the device wait for those of the chunk before"
// JSON: "fate": "caught"
// JSON: "dependence": "the kernel waits for that of the chunk before"
// JSON: "fate": "caught"
//
// FEW: verify: passed
// FEW: smooth 5 6 {{[0-9]+}} all there are
// NONE: verify: passed
// NOTHING: verify: passed
// NOTHING: late 3 3 1 all there are
#include <stdio.h>
#include <stdlib.h>

static void smooth(int n, const double *restrict a, double *restrict b) {
  for (int i = 1; i < n - 1; i++)
    b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

// What chunks write of c ends in front of what they write of b.
static void shift(int n, const double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 1; i < n; i++) {
    b[i] = 2 * a[i];
    c[i - 1] = a[i] - a[i - 1];
  }
}

// Two iterations write parts of each row: it goes back behind the second, which waits for the first.
static void halves(int n, const double *restrict a, double (*restrict d)[2]) {
  for (int i = 0; i <= n; i++) {
    if (i < n)
      d[i][0] = a[i];
    if (i > 0)
      d[i - 1][1] = -a[i - 1];
  }
}

static void late(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i <= n - 3; i++)
    if (i >= 2)
      b[i - 2] = a[i] + a[i + 2];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 20;
  double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b), *c = calloc(n, sizeof *c);
  unsigned seed = 1;
  for (int i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    a[i] = seed >> 16;
  }
  smooth(n, a, b);
  for (int i = 0; i < n; i++)
    printf("%.17g\n", b[i]);
  late(n, a, c);
  for (int i = 0; i < n; i++)
    printf("%.17g\n", c[i]);
  shift(n, a, b, c);
  for (int i = 0; i < n; i++)
    printf("%.17g %.17g\n", b[i], c[i]);
  double (*d)[2] = calloc(n, sizeof *d);
  halves(n, a, d);
  for (int i = 0; i < n; i++)
    printf("%.17g %.17g\n", d[i][0], d[i][1]);
  free(d);
  free(a);
  free(b);
  free(c);
}
