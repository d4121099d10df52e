// The port's own variables (the flag that says whether the region runs) inside the program's `default(none)`, which does not name them.
// RUN: %busfare verify --args 40 %s -- -fopenmp -O1 | %FileCheck %s
// CHECK: verify: passed
#include <stdio.h>
#include <stdlib.h>
static void update(double *a, int n) {
  int block, blocks, offset;
  for (offset = 0; offset < n - 4; offset += 4) {
    a[offset] += a[(int)a[offset] % n]; // stays on the host, and needs what the blocks left
    blocks = n / 4;
#pragma omp parallel for default(none) private(block) shared(a, blocks, offset, n)
    for (block = 0; block < blocks; block++) {
      double s[4] = {0}, t[16];
      for (int i = 0; i < 16; i++)
        t[i] = a[(offset + block + i) % n];
      for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++)
          s[j] += t[4 * k + j];
      for (int j = 0; j < 4; j++)
        a[4 * block + j] = (int)s[j] % 97;
    }
  }
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40;
  double *a = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    a[i] = rand() % 100;
  update(a, n);
  for (int i = 0; i < n; i++)
    printf("%g\n", a[i]);
}
