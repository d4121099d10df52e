// A part of main is in a file of its own, longer than this one: its loops stay as they are, and nothing of it is looked for here.
// RUN: %busfare verify %s -- -O1 | %FileCheck %s
// CHECK: verify: passed
#include <stdio.h>
#define N 100
static double a[N], b[N], c[N];
static void more(void) {
  for (int i = 0; i < N; i++)
    c[i] = a[i] + 1;
  for (int i = 1; i < N; i++) // stays on the host: c comes back in front of it
    c[i] += c[i - 1] / 2;
}
int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = i;
  more();
  for (int i = 0; i < N; i++)
    printf("%g\n", c[i]);
#include "Inputs/part_of_main.h"
  for (int i = 0; i < N; i++)
    printf("%g\n", b[i]);
}
