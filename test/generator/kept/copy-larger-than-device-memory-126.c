#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p6_nz = 3;

void p6(void) {
  const int n = 3;
  float *a = malloc(sizeof(float) * (n * n * p6_nz * 3));
  unsigned seed1 = 72u;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < p6_nz; k++) {
      seed1 = seed1 * 1103515245u;
      a[(i * n * p6_nz + 1) * 3] = seed1 % 64u;
    }
  }
  float *b = malloc(sizeof(float) * (n * n * p6_nz * n));
  (void)b;
  int k3 = 0;
  do {
    for (int k = 1; k < p6_nz - 1; k++) {
      b[1] = a[(k3 + k * k) * 3] + 0.125f;
    }
    k3 += 1;
  } while (k3 < 1);
}

int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "p6") == 0)
    p6();
  return 0;
}
