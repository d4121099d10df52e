// Behind a return in a loop that swaps no copy is sure to be made: the kernels whose arrays would come back there stay on the host.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress --args "5 2" | FileCheck %s
// CHECK: verify:
// CHECK-NOT: FAILED
// RUN: %busfare port --kernels all %s 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY
// WHY: left-by-return.c:[[#]]:{{.*}}behind a jump (return, break or continue)
#include <stdio.h>
#include <stdlib.h>

static void relax(double *from, double *to, int n, int steps, int last) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      to[i] = 0.4 * from[i - 1] + 0.3 * from[i + 1];
    if (t == last)
      return;
    double *other = from;
    from = to;
    to = other;
  }
  for (int i = 0; i < n; i++)
    from[i] += 1;
}

int main(int argc, char **argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 3, last = argc > 2 ? atoi(argv[2]) : 1, n = 300;
  double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++) {
    u[i] = i * 0.1;
    v[i] = 1 - i * 0.1;
  }
  relax(u, v, n, steps, last);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += u[i] * (i + 1) - v[i] * i;
  printf("%.6f\n", sum);
  return 0;
}
