#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p32_n = 2;

void p32(void) {
  float *a = malloc(sizeof(float) * (p32_n * p32_n));
  for (int step3 = 0; step3 < 2; step3++) {
    for (int j = 0; j < p32_n; j++) {
      for (int k = 1; k >= 0; k--) {
        a[j * p32_n + k] = 0.75f;
      }
    }
    if (a[step3 * p32_n + step3] <= 8.0f) {
      a[step3 * p32_n + step3] = 8.0f;
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "p32") == 0)
    p32();
  return 0;
}
