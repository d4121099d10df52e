#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p5_n = 4;
static float p5_c[4];

void p5(void) {
  float (*a)[4] = malloc(sizeof(float) * (p5_n * p5_n));
  unsigned seed1 = 86u;
  for (int i = 0; i <= p5_n - 1; i++) {
    for (int j = 0; j <= p5_n - 1; j++) {
      a[i][j] = 0.25f * ((seed1 >> 16) % 64u);
    }
  }
  float (*b)[4] = malloc(sizeof(float) * (p5_n * p5_n));
  unsigned seed2 = 70u;
  for (int i = 0; i < p5_n; i++) {
    for (int j = 0; j <= p5_n - 1; j++) {
      b[i][j] = 0.25f * ((seed2 >> 16) % 64u);
    }
  }
  for (int step5 = 0; step5 < 1; step5++) {
    for (int j = p5_n - 1; j >= 0; j--) {
      p5_c[j] = 0.5f * b[j][j] - 0.5f * b[j][j];
    }
    switch ((int)a[3][0] & 3) {
    default:
      p5_c[2] = 0.5f * a[2][3] + 2.25f;
      __attribute__((fallthrough));
    case 3:
      p5_c[1] += 0.5f;
    }
  }
  for (int step6 = 0; step6 < 4; step6++) {
    float (*from7)[4] = a;
    (void)from7;
    float (*to8)[4] = b;
    (void)to8;
    p5_c[1] = 0.75f * p5_c[step6];
  }
  for (int i = 0; i <= p5_n - 1; i++) {
    p5_c[i] += fabs(0.25f * (a[i][i] - b[i][i] - p5_c[i]));
  }
  double sum10 = 0.0;
  (void)sum10;
  double sums11 = 0.0;
  (void)sums11;
}

int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "p5") == 0)
    p5();
  return 0;
}
