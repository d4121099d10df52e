// Functions that are handed to one which calls them by a parameter: what they do may be most of the work.
// RUN: %busfare analyze %s | %FileCheck %s
// CHECK: MEASURE FIRST: how much of the work is not priced is not known.
// CHECK: callbacks.c:[[#]], in add ({{.*}}): whether the call of k at
// CHECK-NOT: KEEP
// CHECK-NOT: PORT
#include <stdio.h>
double x[32000], y[32000], a[256][256];
static double add(int steps) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < 32000; i++)
      x[i] = y[i] + 1;
  return x[3];
}
static double square(int steps) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < 32000; i++)
      x[i] = y[i] * y[i];
  return x[3];
}
static void timed(double (*k)(int), int steps) { printf("%g\n", k(steps)); }
int main(void) {
  for (int i = 0; i < 256; i++)
    for (int j = 0; j < 256; j++)
      a[i][j] = 1;
  timed(add, 100000);
  timed(square, 100000);
  printf("%g\n", a[3][4]);
  return 0;
}
