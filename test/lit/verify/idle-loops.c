// How often the outer loops run is not known: copies are made so that they are right if they never do. What `fill` writes goes
// in first, as it would not be there otherwise.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// RUN: %busfare verify %s --no-progress --args 2 | FileCheck %s
// CHECK: verify: passed
// CHECK: out main h2d
// RUN: %busfare port %s --function fill 2>&1 | grep -v "// [A-Z]" | FileCheck %s --check-prefix=FILL
// FILL: #pragma omp target update to(out[0:n])
// FILL: #pragma omp target update from(out[0:n])
// RUN: %busfare port %s --function fill 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY
// WHY: idle-loops.c:[[#]]:3: remark: whether its loops run cannot be told where it begins (1 <= trips)
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
  printf("%d\n", fill(out, n, from - 1));
  for (int i = 0; i < n; i++)
    printf("%d\n", out[i]);
  return 0;
}
