// Four integers that a function knows as rows of two: the kernel writes the first of each row, so the device has three of them.
// RUN: %busfare verify %s -- -O2 | %FileCheck %s
// CHECK: verify: passed
// CHECK: at main d2h 8 8 equal
#include <stdio.h>
static int at[4];
static void h(void *p, int n) {
  int (*x)[2] = p;
  for (int i = 0; i < n; i++)
    x[i][0] = i;
}
int main(void) {
  h(at, 2);
  printf("%d %d\n", at[0], at[2]);
}
