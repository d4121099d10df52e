// A time loop that runs until the values stay.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}588 kernels;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 16 };
static double u[N], v[N];

int main(void) {
  for (int i = 0; i < N; i++)
    u[i] = v[i] = rand() % 100;
  double change = 1;
  int rounds = 0;
  while (change > 0.5 && rounds < 1000) {
    change = 0;
    for (int i = 1; i < N - 1; i++)
      v[i] = (u[i - 1] + u[i + 1]) / 2;
    for (int i = 1; i < N - 1; i++) {
      double d = v[i] > u[i] ? v[i] - u[i] : u[i] - v[i];
      if (d > change)
        change = d;
    }
    for (int i = 1; i < N - 1; i++)
      u[i] = v[i];
    rounds++;
  }
  printf("%d\n", rounds);
  for (int i = 0; i < N; i++)
    printf("%.9g\n", u[i]);
  return 0;
}
