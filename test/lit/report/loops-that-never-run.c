// A serial loop that never runs has no time steps to speak of: the region is run once.
// RUN: %busfare analyze %s 2>&1 | %FileCheck %s
// CHECK: Region loops-that-never-run.c
// CHECK-NOT: time step
// CHECK: on a100-pcie4, transfers included
// CHECK-NOT: time step
#define WARM_UP 0
double a[1000000], b[1000000];
int main(void) {
  for (int i = 0; i < 1000000; i++)
    a[i] = i % 7;
  for (int t = 0; t < WARM_UP; t++)
    for (int i = 0; i < 1000000; i++)
      b[i] = 2 * a[i];
  for (int i = 0; i < 1000000; i++)
    b[i] = 2 * a[i] + b[i];
  return b[7] > 3;
}
