// Two fields whose pointers would be called the same in one clause.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | %FileCheck %s
// CHECK: verify: passed
#include <stdio.h>
#include <stdlib.h>
enum { N = 100 };
struct grid {
  struct { double *b; } a;
  double *a_b;
};

int main(void) {
  struct grid s;
  s.a.b = malloc(N * sizeof(double));
  s.a_b = malloc(N * sizeof(double));
  for (int i = 0; i < N; i++) s.a.b[i] = i;
  for (int i = 0; i < N; i++) s.a_b[i] = 2 * s.a.b[i];
  printf("%g %g\n", s.a_b[7], s.a.b[8]);
  free(s.a.b);
  free(s.a_b);
}
