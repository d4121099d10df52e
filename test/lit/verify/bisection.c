// A jump may end each row's loop, but its first iteration runs, and writes the row: nothing of what was there goes in.
// RUN: %busfare verify --mutants %s | %FileCheck %s
// RUN: %busfare analyze --format json %s > %t.json
// RUN: %python -c "import json, sys; r = json.load(open(sys.argv[1]))['regions'][0]; print(*sorted((a['name'], bool(a['h2d']), bool(a['d2h'])) for a in r['arrays']))" %t.json | %FileCheck %s --check-prefix=COPIES
// CHECK: verify: passed
// COPIES: ('p', False, False) ('s', True, False)
#include <stdio.h>
#define ROWS 32
#define NEAR 9
static float s[ROWS][NEAR], p[ROWS][NEAR];
int main(void) {
  unsigned seed = 5;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < NEAR; j++) seed = seed * 1103515245u + 12345, s[i][j] = (seed >> 16) % 31, p[i][j] = -1;
  printf("%g %g\n", s[3][4], p[3][4]);
  for (int i = 0; i < ROWS; i++) {
    float beta = 1, least = 0, most = 8;
    for (int step = 0; step < 9; step++) {
      float sum = 0; // of whole numbers, in any order
      for (int j = 0; j < NEAR; j++) {
        p[i][j] = (int)(s[i][j] * beta);
        sum += p[i][j];
      }
      for (int j = 0; j < NEAR; j++) p[i][j] += 0.5f;
      if (sum == 100 + i) break;
      if (sum < 100 + i) least = beta;
      else most = beta;
      beta = (least + most) / 2;
    }
    s[i][0] = beta;
  }
  double total = 0;
  for (int i = 0; i < ROWS; i++) {
    total += s[i][0] * (i + 1);
    for (int j = 0; j < NEAR; j++) total += p[i][j] * (j + 1);
  }
  printf("%.6g\n", total);
}
