#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p8_n = 6;
static int p8_m = 8;

void p8(void) {
  int a[6][8];
  (void)a;
  int b[48];
  unsigned seed2 = 53u;
  for (int i = 0; i != p8_n; i++) {
    for (int j = 0; j < p8_m; j++) {
      seed2 = seed2 * 1103515245u;
      b[i * p8_m] = seed2 % 64u;
    }
  }
  for (int j = 1; j < p8_n - 1; j++) {
    int t5 = b[(j - 1) * p8_m];
    (void)t5;
  }
  for (int i = 0; i <= p8_n - 1; i += 3) {
    a[i][0] = b[i * p8_m];
  }
}

int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "p8") == 0)
    p8();
  return 0;
}
