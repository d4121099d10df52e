// How often the outer loop runs is not known: it does no harm if it never does, as all that the kernel touches is there before.
// In `fill` it would: what comes back is what the kernel wrote.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// RUN: %busfare verify %s --no-progress --args 2 | FileCheck %s
// CHECK: verify: passed
// RUN: %busfare port %s --function fill 2>&1 | FileCheck %s --check-prefix=FILL
// FILL-NOT: #pragma omp
// FILL: idle-loops.c:[[#]]:3: warning: not ported: whether its loops run cannot be told where it begins
#include <stdio.h>
#include <stdlib.h>

int fill(int *restrict out, int n, int from) {
  for (int g = from; g > 3; g /= 2)
    for (int i = 0; i < n; i++)
      out[i] = g + i;
  return out[n - 1];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 64, from = n;
  int *label = malloc(n * sizeof *label), *out = malloc(n * sizeof *out);
  for (int i = 0; i < n; i++)
    label[i] = rand() % 10, out[i] = 0;
  for (int g = from; g > 3; g /= 2)
    for (int row = 0; row < n; row++)
      out[row] += label[row] * label[row] - 3;
  for (int i = 0; i < n; i++)
    printf("%d\n", out[i]);
  return 0;
}
