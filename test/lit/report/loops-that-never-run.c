// A serial loop that never runs has no time steps to speak of: the region is run once. One that counts down runs.
// RUN: %busfare analyze --details %s 2>&1 | %FileCheck %s
// RUN: %busfare analyze --details %s -- -DWARM_UP=100 2>&1 | %FileCheck %s --check-prefix=RUNS
// CHECK: Region loops-that-never-run.c
// CHECK-NOT: time step
// CHECK: on a100-pcie4, transfers included
// CHECK-NOT: time step
// RUNS: today's 100 time
#ifndef WARM_UP
#define WARM_UP 0
#endif
double a[1000000], b[1000000];
int main(void) {
  for (int i = 0; i < 1000000; i++)
    a[i] = i % 7;
  for (int t = WARM_UP; t > 0; t--) {
    for (int i = 1; i < 999999; i++)
      b[i] = a[i - 1] + a[i + 1];
    for (int i = 1; i < 999999; i++)
      a[i] = b[i];
  }
  for (int i = 0; i < 1000000; i++)
    b[i] = 2 * a[i] + b[i];
  return b[7] > 3;
}
