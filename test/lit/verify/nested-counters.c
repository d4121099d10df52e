// A counter that an inner loop steps, and the loop around once more: its value at an iteration's start is a formula, though nothing
// reads it there. It is no private without a first value (a mesh is numbered like this).
// RUN: %busfare verify %s -- -O2 | %FileCheck %s
// RUN: %busfare loops %s | %python %S/../rules/Inputs/unwrap.py | %FileCheck --check-prefix=LOOPS %s
// CHECK: verify: passed
// LOOPS: {{..row yes induction private.element., induction$}}
#include <stdio.h>
#define N 6
static int corner[N * N * N][2];

static void number(void) {
  int node = 0, element = 0;
  for (int plane = 0; plane < N; plane++) {
    for (int row = 0; row < N; row++) {
      for (int column = 0; column < N; column++) {
        corner[element][0] = node;
        corner[element][1] = node + N + 2;
        ++element;
        ++node;
      }
      ++node;
    }
    node += N + 1;
  }
  printf("%d\n", node);
}

int main(void) {
  number();
  for (int e = 0; e < N * N * N; e++)
    corner[e][1] += corner[e][0];
  long sum = 0;
  for (int e = 0; e < N * N * N; e++)
    sum = sum * 3 % 1000003 + corner[e][0] - corner[e][1] * 2;
  printf("%ld\n", sum);
  return 0;
}
