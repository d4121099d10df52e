// An #include inside a function is none behind which <omp.h> can stand.
// RUN: %busfare verify %s -- -O1 | %FileCheck %s
// CHECK: verify: passed
#include <stdio.h>
#define N 40
static double a[N][N];
static void smooth(void) {
  for (int i = 0; i < N; i++)
    for (int j = 10; j < 20; j++)
      a[i][j] *= 2;
}
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = fgetc(stdin) + i + j;
  smooth();
#include "Inputs/prints.h"
}
