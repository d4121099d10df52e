// Jumps that lead into blocks: whoever takes one misses the copies that stand in front of the block, or before another side of
// the same branch. All that they tangle is one statement of the host, and copies stand before the first of it.
// RUN: %busfare verify --mutants %s -- -O2 | %FileCheck %s
// CHECK: verify: passed
// CHECK-NOT: SURVIVED
#include <stdio.h>
#define N 100
static double u[N], v[N];
static int flag[8] = {2, 0, 1, 2, 1, 0, 2, 1};

static void step(int t) {
  for (int i = 0; i < N; i++)
    v[i] = 0.5 * u[i] + t;
  for (int i = 0; i < N; i++)
    u[i] = 0.25 * v[i] + i % 3;
}

int main(void) {
  for (int i = 0; i < N; i++)
    u[i] = v[i] = i % 7;
  for (int t = 0; t < 8; t++) {
    step(t);
    if (flag[t] == 2)
      goto in;
    if (t % 2) {
      printf("x\n");
    in:
      printf("%d %g\n", t, u[3]);
    }
    step(t);
    if (flag[t]) {
      goto other;
    } else {
      printf("e\n");
      if (t > 3) {
      other:
        printf("%d %g\n", t, v[4]);
      }
    }
    step(t + 1);
    if (flag[t]) {
      if (flag[t] == 2)
        goto skip;
      printf("%d %g\n", t, u[5]);
    skip:
      printf("%d %g\n", t, v[5]);
    }
  }
  return 0;
}
