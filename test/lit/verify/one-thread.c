// Statements that one thread of the device runs (--one-thread): what crosses in the time loop without them stays there, and every number
// they set is right behind them. `walk` is a pointer that moves, which stays.
// RUN: %busfare verify --mutants --one-thread %s -- -O2 | %FileCheck --check-prefixes=CHECK,MOVED %s
// RUN: %busfare verify %s -- -O2 | %FileCheck --check-prefixes=CHECK,WITHOUT %s
// CHECK: verify: passed
// MOVED: v main h2d 768
// Without them the host sets the two ends of v in each step, and these alone go back.
// WITHOUT: v main h2d 80 
#include <stdio.h>
#define N 96
#define STEPS 5
static double u[N], v[N], w[N][8], total;
static int list[N], hits;

static double smooth(double a, double b, double c) { return 0.25 * a + 0.5 * b + 0.25 * c; }
static void addTo(double *to, double what) { *to += what; }
static void mend(double *x, int n) {
  x[0] = smooth(x[n - 1], x[0], x[1]);
  x[n - 1] = smooth(x[n - 2], x[n - 1], x[0]);
}

int main(void) {
  for (int i = 0; i < N; i++) {
    u[i] = 0.01 * i;
    list[i] = (i * 7) % N;
    for (int k = 0; k < 8; k++)
      w[i][k] = i - k;
  }
  double largest = 0;
  int where = -1, j;
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < N - 1; i++)
      v[i] = smooth(u[i - 1], u[i], u[i + 1]);
    mend(v, N);
    // What is found comes back.
    for (j = 0; j < N; j++) {
      if (v[list[j]] < largest)
        continue;
      largest = v[list[j]];
      where = list[j];
      if (where == N / 2)
        break;
    }
    hits += j;
    for (int i = 0; i < N; i++)
      for (int k = 0; k < 8; k++)
        w[i][k] += v[i];
    {
      double sums[8] = {0};
      for (int i = 0; i < N; i += 5)
        for (int k = 0; k < 8; k++)
          sums[k] = 0.5 * sums[k] + w[i][k];
      for (int k = 1; k < 8; k++)
        w[0][k] = sums[k - 1];
    }
    addTo(&total, w[0][1]);
    double *walk = u;
    *walk++ = v[1];
    *walk = v[0];
    for (int i = 2; i < N; i++)
      u[i] = v[i] + 0.125 * w[i][t];
  }
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 8; k++)
      sum += w[i][k] * (k + 1) + u[i];
  printf("%.12g %.12g %d %d %.12g\n", sum, largest, where, hits, total);
  return 0;
}
