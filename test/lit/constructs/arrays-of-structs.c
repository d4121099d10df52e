// An array of structs.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 30 };
struct body {
  double x[3], mass;
  int tag;
};

int main(void) {
  struct body *all = malloc(N * sizeof *all);
  double *pull = malloc(N * sizeof *pull);
  for (int i = 0; i < N; i++) {
    for (int d = 0; d < 3; d++)
      all[i].x[d] = rand() % 100;
    all[i].mass = 1 + rand() % 9;
    all[i].tag = i;
  }
  for (int i = 0; i < N; i++) {
    double s = 0;
    for (int j = 0; j < N; j++) {
      double dx = all[i].x[0] - all[j].x[0], dy = all[i].x[1] - all[j].x[1];
      s += all[j].mass / (dx * dx + dy * dy + 1);
    }
    pull[i] = s;
  }
  for (int i = 0; i < N; i++)
    all[i].x[2] += pull[i];
  for (int i = 0; i < N; i++)
    printf("%.9g %.9g %d\n", all[i].x[2], pull[i], all[i].tag);
  free(all);
  free(pull);
  return 0;
}
