#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p12_m = 3;
static int p12_a[3][3][3][3];

static void p12_f7(int *out, int *in) {
  (void)out;
  for (int i = 0; i <= 1; i++) {
    int k8 = 1;
    while (k8 <= 1) {
      in[1] = in[i * 3 + k8];
      k8 += 1;
    }
  }
}

void p12(void) {
  int *b = malloc(sizeof(int) * (3 * p12_m * p12_m * p12_m));
  for (int i = 1; i >= 0; i--) {
    for (int j = 0; j < 1; j++) {
      for (int k = 0; k <= p12_m - 1; k++) {
        for (int l = 0; l < p12_m; l++) {
          b[k * p12_m + l] = 1;
        }
      }
    }
  }
  p12_f7(&p12_a[0][0][0][0], b);
}

int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "p12") == 0)
    p12();
  return 0;
}
