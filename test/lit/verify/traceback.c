// RUN: %busfare analyze --no-progress traceback.c | %FileCheck %s --check-prefix=PLAN
// RUN: %busfare verify --no-progress --mutants --kernels all traceback.c | %FileCheck %s
//
// A table that tiles fill, one diagonal of tiles after the other, and through which a path is walked back: where the path goes
// nobody knows, and all else shows that the table has rows. So the tiles of a diagonal are a kernel.
#include <stdio.h>
#include <stdlib.h>
#define T 8
static int most(int a, int b, int c) {
  int m = a > b ? a : b;
  return m > c ? m : c;
}
static void tile(int *table, const int *score, int n, int gap, int by, int bx) {
  int t[T + 1][T + 1], s[T][T];
  for (int i = 0; i < T; i++)
    for (int j = 0; j < T; j++)
      s[i][j] = score[(by * T + i + 1) * n + bx * T + j + 1];
  for (int i = 0; i <= T; i++)
    for (int j = 0; j <= T; j++)
      t[i][j] = table[(by * T + i) * n + bx * T + j];
  for (int i = 1; i <= T; i++)
    for (int j = 1; j <= T; j++)
      t[i][j] = most(t[i - 1][j - 1] + s[i - 1][j - 1], t[i][j - 1] - gap, t[i - 1][j] - gap);
  for (int i = 0; i < T; i++)
    for (int j = 0; j < T; j++)
      table[(by * T + i + 1) * n + bx * T + j + 1] = t[i + 1][j + 1];
}
// PLAN: score {{.*}}h2d {{ *}}1x {{.*}}[1:8*tiles:1][1:8*tiles:1]
// PLAN: table {{.*}}h2d {{ *}}1x {{.*}}[0:8*tiles:1][0:8*tiles:1]
// PLAN: table {{.*}}d2h {{ *}}1x {{.*}}[1:8*tiles:1][1:8*tiles:1]
// PLAN: The 2 kernels
// PLAN: parallel over bx
// PLAN: parallel over bx
// CHECK: verify: passed
int main(int argc, char **argv) {
  int tiles = argc > 1 ? atoi(argv[1]) : 6;
  int n = tiles * T + 1, gap = 3;
  int *table = malloc(n * n * sizeof(int)), *score = malloc(n * n * sizeof(int));
  unsigned seed = 12345;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      seed = seed * 1103515245u + 12345u;
      score[i * n + j] = (int)(seed >> 16) % 11 - 5;
      table[i * n + j] = i == 0 ? -gap * j : j == 0 ? -gap * i : 0;
    }
  for (int d = 1; d <= tiles; d++)
    for (int bx = 0; bx < d; bx++)
      tile(table, score, n, gap, d - 1 - bx, bx);
  for (int d = 2; d <= tiles; d++)
    for (int bx = d - 1; bx < tiles; bx++)
      tile(table, score, n, gap, tiles + d - 2 - bx, bx);
  for (int i = n - 1, j = n - 1; i > 0 && j > 0;) {
    printf("%d ", table[i * n + j]);
    int up = table[(i - 1) * n + j], left = table[i * n + j - 1], both = table[(i - 1) * n + j - 1];
    if (both + score[i * n + j] >= up - gap && both + score[i * n + j] >= left - gap)
      i--, j--;
    else if (up > left)
      i--;
    else
      j--;
  }
  printf("\n");
  free(table);
  free(score);
  return 0;
}
