// Global pointers, and pointers into the middle of an array.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}3 kernels;
// CHECK: Mutants: 7 caught, 1 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

double buffer[64];
double *view = buffer;
static double *whole;

static void start(void) {
  view = buffer + 17;
  for (int i = 0; i < 10; i++)
    view[-i] = i;
}

int main(void) {
  whole = malloc(40 * sizeof *whole);
  for (int i = 0; i < 64; i++)
    buffer[i] = i;
  for (int i = 0; i < 40; i++)
    whole[i] = rand() % 100;
  start();
  for (int i = 0; i < 10; i++)
    view[i] += i;
  for (int i = 0; i < 40; i++)
    buffer[i] += 2 * whole[i];
  for (int i = 0; i < 64; i++)
    printf("%g\n", buffer[i]);
  return 0;
}
