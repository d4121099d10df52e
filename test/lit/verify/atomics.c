// What threads would do one at a time is a sum of the plan's: `atomic` and `critical` go with the other directives of the loop.
// How often the outer loop turns has no name: how often its copies ran is taken from the run.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress --args 40 -- -fopenmp | FileCheck %s
// RUN: %busfare verify %s --no-progress --args 0 -- -fopenmp | FileCheck %s --check-prefix=NEVER
// RUN: %busfare port %s -- -fopenmp 2>/dev/null | sed 1,/stdlib/d | FileCheck %s --check-prefix=PORT --implicit-check-not=atomic --implicit-check-not=critical
// CHECK: verify: passed
// CHECK: count main h2d 16 16 equal
// CHECK: count main d2h 16 16 equal
// NEVER: verify: passed
// PORT: int main
// PORT: reduction(+: count[0:1]
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 64, total = 0, count[1];
  int *label = malloc((n + 1) * sizeof *label);
  for (int i = 0; i <= n; i++)
    label[i] = rand() % 10;
  for (int g = n; g > 3; g /= 2) {
    count[0] = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      if (label[i] > 4) {
#pragma omp atomic update
        ++count[0];
      }
#pragma omp critical
      {
        total += label[i];
      }
    }
    printf("%d %d\n", g, count[0]);
  }
  printf("%d\n", total);
  return 0;
}
