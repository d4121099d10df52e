// RUN: %busfare verify --no-progress --kernels all sizes-in-loops.c | %FileCheck %s
// RUN: %busfare verify --no-progress --kernels all sizes-in-loops.c --args 5 | %FileCheck %s --check-prefix=SAME
//
// How much is copied is found anew for each row: the run's bytes are not those of one size many times, and that is said. If it
// is the same each time, they are.
#include <stdio.h>
#include <stdlib.h>
#define ROWS 40
#define MOST 16
static double values[MOST], row[ROWS * MOST];
static int begins[ROWS + 1];
// CHECK: verify: passed
// CHECK: values {{ *}}main {{ *}}h2d {{ *}}? {{ *}}{{[0-9,]+}} {{ *}}?
// CHECK-NEXT: depends on a size that changed
// SAME: verify: passed
// SAME: values {{ *}}main {{ *}}h2d {{ *}}1,600 {{ *}}1,600 {{ *}}equal
int main(int argc, char **argv) {
  int fixed = argc > 1 ? atoi(argv[1]) : 0;
  unsigned seed = 3;
  for (int r = 0; r < ROWS; r++) {
    int n = fixed;
    if (fixed == 0) {
      seed = seed * 1103515245u + 12345u;
      n = 1 + (int)(seed >> 16) % MOST;
    }
    if (n < 0 || n > MOST)
      return 1;
    for (int k = 0; k < n; k++) {
      values[k] = r + 0.5 * k;
      printf("%g ", values[k]);
    }
    begins[r] = n;
    for (int k = 0; k < n; k++)
      row[r * MOST + k] = 2 * values[k];
  }
  double sum = 0;
  for (int r = 0; r < ROWS; r++)
    for (int k = 0; k < begins[r]; k++)
      sum += row[r * MOST + k];
  printf("%g\n", sum);
  return 0;
}
