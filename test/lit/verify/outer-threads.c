// A loop that the program runs on several threads, though nothing shows that it may, has a parallel loop in it: that is a
// kernel, and one thread starts it, block by block.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress -- -fopenmp | FileCheck %s
// RUN: %busfare port %s -- -fopenmp 2>/dev/null | grep -v "// [A-Z]" | FileCheck %s --check-prefix=PORT
// CHECK: verify: passed
#include <stdio.h>
#include <stdlib.h>

static void step(double *to, const double *from, const int *block, int blocks, int size) {
  int b, i;
  double scale = 0;
  // PORT: #pragma omp parallel for num_threads(1) private(b, i) firstprivate(scale) schedule(static)
  // PORT-NEXT: for (b = 0; b < blocks; b++) {
#pragma omp parallel for private(b, i) firstprivate(scale) schedule(static)
  for (b = 0; b < blocks; b++) {
    int first = block[b] * size;
    scale = 0.5 * block[b];
    // PORT: #pragma omp target teams distribute parallel for
    for (i = first; i < first + size; i++)
      to[i] = scale * from[i];
  }
}

int main(int argc, char **argv) {
  int blocks = argc > 1 ? atoi(argv[1]) : 6, size = 16, n = blocks * size;
  int *block = malloc(blocks * sizeof *block);
  double *from = malloc(n * sizeof *from), *to = malloc(n * sizeof *to);
  for (int b = 0; b < blocks; b++)
    block[b] = blocks - 1 - b;
  for (int i = 0; i < n; i++)
    from[i] = rand() % 10, to[i] = 0;
  for (int t = 0; t < 3; t++)
    step(to, from, block, blocks, size);
  for (int i = 0; i < n; i++)
    printf("%g\n", to[i]);
  return 0;
}
