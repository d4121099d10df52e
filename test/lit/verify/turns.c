// Arrays that are read and written in turns stay on the device, whichever the last turn wrote: by pointers that odd and even
// iterations choose, by halves of one array, by planes that change places, and by swaps in a function.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | FileCheck %s
// RUN: %busfare verify %s --mutants --no-progress --args 5 | FileCheck %s
// RUN: %busfare verify %s --no-progress --args 0 | FileCheck %s --check-prefix=NONE
// CHECK: verify: passed
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
// NONE: verify: passed
// RUN: %busfare port --kernels all %s 2>&1 | grep -v "// [A-Z]" | FileCheck %s --check-prefix=PORT
#include <stdio.h>
#include <stdlib.h>

// PORT-LABEL: void chosen(
// PORT-NOT: target update
// PORT: #pragma omp target teams distribute parallel for map(alloc: from[0:500], to[0:500])
// PORT-NOT: target update
void chosen(double *u, double *v, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    double *from = t % 2 ? v : u, *to = t % 2 ? u : v;
    for (int i = 1; i < n - 1; i++)
      to[i] = 0.25 * (from[i - 1] + 2 * from[i] + from[i + 1]);
  }
}

// PORT-LABEL: void swapped(
// PORT-NOT: target update
// PORT: #pragma omp target teams distribute parallel for map(alloc: from[0:500], to[0:500])
// PORT-NOT: target update
void swapped(double *from, double *to, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      to[i] = 0.5 * (from[i - 1] + from[i + 1]);
    double *other = from;
    from = to;
    to = other;
  }
}

static double halves[2][500];

// PORT-LABEL: int main(
int main(int argc, char **argv) {
  int n = 500, steps = argc > 1 ? atoi(argv[1]) : 4;
  double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++)
    u[i] = v[i] = i % 17;
  chosen(u, v, n, steps);
  for (int i = 0; i < n; i++)
    u[i] += 1;
  swapped(u, v, n, steps);
  int now = 0;
  for (int i = 0; i < n; i++)
    halves[0][i] = u[i];
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      halves[1 - now][i] = 0.5 * (halves[now][i - 1] + halves[now][i + 1]);
    now = 1 - now;
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (i % 5) * (u[i] + 2 * v[i] + 3 * halves[now][i]);
  printf("%.6f %.6f %.6f\n", u[7], v[8], sum);
  return 0;
}
