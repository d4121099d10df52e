// What a function is given as `void *` and only hands on is, for those it calls, what its caller has there.
// RUN: %busfare sections %s | %FileCheck %s
// RUN: %busfare loops %s --function main | %FileCheck --check-prefix=LOOPS %s
#include <stdio.h>
#include <stdlib.h>
enum { N = 64 };

static void scale(int rows, double (*a)[N]) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < N; j++)
      a[i][j] *= 0.5;
}
static void forward(int rows, void *p, void *q) {
  scale(rows, p);
  scale(rows / 2, q);
}
/* It looks at a byte itself: then it is not known what else it does there. */
static void looks(int rows, void *p) {
  ((char *)p)[0] = 0;
  scale(rows, p);
}

// LOOPS: scale (
// LOOPS: i no it is not known where the pointer a
// CHECK: function main
// CHECK: u read, write, must-write exact [0:63:1][0:63:1]
// CHECK-NEXT: v read, write, must-write exact [0:31:1][0:63:1]
// CHECK-NEXT: w read, write at most [0:63:1][0:63:1]
int main(void) {
  double(*u)[N] = malloc(N * sizeof *u), (*v)[N] = malloc(N * sizeof *v), (*w)[N] = malloc(N * sizeof *w);
  if (!u || !v || !w)
    return 1;
  forward(N, u, v);
  looks(N, w);
  printf("%g %g %g\n", u[3][4], v[2][1], w[0][0]);
  return 0;
}
