// What an option chooses is priced as it is without it, and the report says so.
// RUN: %busfare analyze %s --param n=4096 --iterations 50 --no-progress -- -O2 | FileCheck %s
// RUN: %busfare analyze %s --param n=4096 --iterations 50 --param tiling=1 --no-progress -- -O2 | FileCheck %s --check-prefix=TILED
#include <stdio.h>
#include <stdlib.h>
// CHECK: decided-ways.c:[[#PLAIN:]], in main ({{9[0-9]|100}} % of the work)
// CHECK: The program's own defaults: main::tiling = 0.
// CHECK: :[[#PLAIN]] 50
// CHECK: decided-ways.c:[[#TILE:]] 0 0 s 0 s
//
// The tiled loop is the hottest one then, though it runs another number of times at the last tile.
// TILED: decided-ways.c:[[#TILE:]], in main ({{9[0-9]|100}} % of the work)
// TILED-NOT: own defaults: main::tiling
// TILED: decided-ways.c:{{[0-9]+}} 0 0 s 0 s
// TILED: decided-ways.c:[[#TILE]] 50
static double *a, *b;
int main(int argc, char **argv) {
  if (argc < 3) return 1;
  int steps = atoi(argv[1]), tiling = 0, size = 64;
  long n = atol(argv[2]);
  if (argc == 4) tiling = 1;
  a = malloc(n * n * sizeof *a), b = malloc(n * n * sizeof *b);
  for (long i = 0; i < n * n; i++) a[i] = i, b[i] = 0;
  for (int t = 0; t <= steps; t++) {
    if (!tiling) {
      for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) b[j * n + i] += a[i * n + j];
    } else {
      for (long i = 0; i < n; i += size)
        for (long j = 0; j < n; j += size)
          for (long it = i; it < (i + size < n ? i + size : n); it++)
            for (long jt = j; jt < (j + size < n ? j + size : n); jt++) {
              b[jt * n + it] += a[it * n + jt];
              a[it * n + jt] += 1;
            }
    }
  }
  double s = 0;
  for (long i = 0; i < n * n; i++) s += b[i];
  printf("%g\n", s);
  return 0;
}
