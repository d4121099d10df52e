// Copies stand behind the label of a case: whoever comes there from the switch would miss what stands before it.
// RUN: %busfare verify --mutants %s -- -O2 | %FileCheck %s
// CHECK: verify: passed
// CHECK-NOT: SURVIVED
#include <stdio.h>
#define N 300
static double u[N], v[N];
static int which[8] = {2, 1, 0, 2, 1, 1, 0, 2};

int main(void) {
  for (int i = 0; i < N; i++)
    u[i] = v[i] = i % 13;
  for (int t = 0; t < 8; t++) {
    for (int i = 0; i < N; i++)
      v[i] = 0.5 * u[i] + t;
    for (int i = 0; i < N; i++)
      u[i] = 0.25 * v[i] + i;
    switch (which[t]) {
    case 1:
      printf("%g\n", u[t]);
    case 2:
      printf("%g\n", v[t]);
      break;
    default:
      printf("none\n");
    }
  }
  return 0;
}
