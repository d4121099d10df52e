// A program that prints what malloc left: only one kind of fresh memory shows it, and that is no fault of the port.
// RUN: %busfare verify %s -- -O1 | %FileCheck %s
// CHECK: verify: passed
// CHECK: 1 of 2 printed words vary
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  int *t = malloc(n * sizeof(int));
  for (int i = 1; i < n; i++)
    t[i] = i;
  printf("%d %d\n", t[0] > 0, t[n - 1]);
  free(t);
}
