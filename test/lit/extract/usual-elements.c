// Sizes in elements of arrays that the unit sets to one number each are usually that number; it binds them where nothing else does.
// RUN: %busfare sizes %s | %FileCheck %s
// CHECK: dims[0] = 640, declared
// CHECK: dims[1] = 480, declared
// CHECK: made[1] = 77, declared
// Set to two numbers, passed on, set by a loop: nothing is usual.
// CHECK-NOT: mode[0] = {{[0-9]+}}, declared
// CHECK-NOT: given[0] = {{[0-9]+}}, declared
// CHECK-NOT: filled[0] = {{[0-9]+}}, declared
#include <stdio.h>
#include <stdlib.h>
static int dims[2], mode[1], given[1], filled[2];
static int *made;
extern void ask(int *);
static double u[4096 * 1024];

static void setup(int which) {
  dims[0] = 640;
  dims[1] = 480;
  made = malloc(2 * sizeof(int));
  made[1] = 77;
  if (which > 2)
    mode[0] = 1024;
  else
    mode[0] = 2048;
  given[0] = 99;
  ask(given);
  for (int k = 0; k < 2; k++)
    filled[k] = which;
  filled[0] = 55;
}

int main(int argc, char **argv) {
  setup(argc);
  for (int j = 0; j < dims[1]; j++)
    for (int i = 0; i < dims[0]; i++)
      u[j * 1024 + i] = i + j;
  for (int i = 0; i < mode[0]; i++)
    u[i] += 1;
  for (int i = 0; i < given[0]; i++)
    u[i] += 1;
  for (int i = 0; i < filled[0]; i++)
    u[i] += 1;
  for (int i = 0; i < made[1]; i++)
    u[i] += 1;
  printf("%g\n", u[17]);
  return 0;
}
