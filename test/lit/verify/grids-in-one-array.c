// The grids of all levels lie one behind the other in one array; where each begins, and how wide it is, stands in tables. What
// relax and coarsen do to two of them is parallel if those do not overlap, which is said; they stay on the device while the
// cycles run. What is printed in between comes back only where it is printed.
// RUN: %busfare verify --mutants %s -- -O2 -lm | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck --check-prefix=LOOPS %s
// RUN: %busfare analyze --details %s | %FileCheck --check-prefix=REPORT %s
// RUN: %busfare port --kernels all %s -o %t.c && %FileCheck --check-prefix=PORT %s < %t.c
// CHECK: verify: passed
// CHECK: u main d2h 0 0 equal
// LOOPS: coarsen (
// LOOPS: i     yes       if noalias(of,to)
// LOOPS: relax (
// LOOPS: i     yes       no two iterations
// Two grids of one array, from one place on, are one: no assumption.
// LOOPS: subtract (
// LOOPS: i     yes       no two iterations
// Perhaps the same grid twice, one row further on.
// LOOPS: add (
// LOOPS: i     no
// LOOPS: [BF009]
// REPORT-NOT: {{^  u  .*h2d}}
// REPORT: - noalias(of,to)
// PORT: target teams distribute parallel for collapse(2) map(alloc: coarse[0:0], fine[0:0])
#include <math.h>
#include <stdio.h>

#define LEVELS 4
#define CYCLES 3
static int width[LEVELS], start[LEVELS];
#define N 17
#define ALL (17 * 17 + 9 * 9 + 5 * 5 + 3 * 3)
static double u[ALL], r[ALL];
static int debug;

static void coarsen(void *of, int n, void *to, int m) {
  double (*fine)[n] = of;
  double (*coarse)[m] = to;
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++)
      coarse[i][j] = 0.5 * fine[2 * i][2 * j] + 0.125 * (fine[2 * i - 1][2 * j] + fine[2 * i + 1][2 * j] + fine[2 * i][2 * j - 1] + fine[2 * i][2 * j + 1]);
}

static void relax(void *of, void *with, int n) {
  double (*x)[n] = of;
  double (*b)[n] = with;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      x[i][j] += 0.25 * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]) - b[i][j];
}

static void subtract(void *of, void *from, void *to, int n) {
  double (*x)[n] = of;
  double (*b)[n] = from;
  double (*d)[n] = to;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      d[i][j] = b[i][j] - 0.5 * x[i][j];
}

static void add(void *of, int n, void *to, int m) {
  double (*x)[n] = of;
  double (*y)[m] = to;
  for (int i = 1; i < m; i++)
    for (int j = 0; j < m; j++)
      y[i][j] += x[i - 1][j];
}

int main(int argc, char **argv) {
  int n = N, all = 0;
  debug = argc > 1;
  for (int k = 0; k < LEVELS; k++) {
    width[k] = n;
    start[k] = all;
    all += n * n;
    n = (n + 1) / 2;
  }
  for (int i = 0; i < ALL; i++) {
    u[i] = 0;
    r[i] = sin(0.01 * i);
  }
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    for (int k = 0; k < LEVELS - 1; k++)
      coarsen(&r[start[k]], width[k], &r[start[k + 1]], width[k + 1]);
    for (int k = LEVELS - 1; k >= 0; k--) {
      relax(&u[start[k]], &r[start[k]], width[k]);
      subtract(&u[start[k]], &r[start[k]], &r[start[k]], width[k]);
      if (debug) {
        printf("%d %g\n", k, u[start[k]]);
      }
    }
  }
  for (int k = 0; k < LEVELS; k++)
    for (int l = 0; l < LEVELS; l++)
      add(&r[start[k]], width[k] < width[l] ? width[k] : width[l], &r[start[l]], width[l] < width[k] ? width[l] : width[k]);
  double sum = 0;
  for (int i = 0; i < ALL; i++)
    sum += u[i] * u[i] + r[i];
  printf("%.12g\n", sum);
  return 0;
}
