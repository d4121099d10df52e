// A local array of a function that calls the one in which the region begins: whether that runs on the device is known only there, behind
// the array's declaration, and its device memory begins there, too. Where the function is called again it begins with the array.
// RUN: %busfare verify --mutants --kernels all %s -- -O2 | %FileCheck %s
// CHECK: verify: passed
#include <stdio.h>
#include <stdlib.h>
#define N 12
static int sizes[2];
static double u[N * N], v[N * N];

static int half(int n) {
  int k = 0;
  while (n > 1) {
    n /= 2;
    k++;
  }
  return k;
}

static void lines(double *x, double *scratch, int rows, int columns) {
  int steps = half(columns);
  for (int r = 0; r < rows; r++) {
    for (int i = 0; i < N; i++)
      scratch[i] = x[r * N + i];
    for (int s = 0; s < steps; s++)
      for (int i = 0; i < N; i++)
        scratch[i] += 0.5 * s;
    for (int i = 0; i < N; i++)
      x[r * N + i] = scratch[i];
  }
}

static void all(double *x) {
  double scratch[N];
  lines(x, scratch, sizes[0], sizes[1]);
  lines(x, scratch, sizes[1], sizes[0]);
}

int main(int argc, char **argv) {
  sizes[0] = argc > 1 ? atoi(argv[1]) : N;
  sizes[1] = N - 3;
  for (int i = 0; i < N * N; i++)
    u[i] = rand() % 100, v[i] = rand() % 50;
  all(u);
  for (int t = 0; t < 3; t++) {
    all(u);
    all(v);
  }
  printf("%.10g %.10g\n", u[5], v[7]);
  return 0;
}
