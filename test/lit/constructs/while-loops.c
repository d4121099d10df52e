// `while` and `do` that count, in a kernel and around one.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}6 kernels;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 20, M = 12 };

int main(void) {
  static double a[N][M], b[N], best[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = rand() % 1000;
  int t = 0;
  while (t < 3) {
    for (int i = 0; i < N; i++) {
      double s = 0;
      int j = 0;
      while (j < M) {
        s += a[i][j] * (t + 1);
        j++;
      }
      b[i] = s;
    }
    for (int i = 0; i < N; i++) {
      int j = M;
      double most = b[i];
      do {
        j--;
        if (a[i][j] > most)
          most = a[i][j];
      } while (j > 0);
      best[i] = most;
    }
    t++;
  }
  for (int i = 0; i < N; i++)
    printf("%g %g\n", b[i], best[i]);
  return 0;
}
