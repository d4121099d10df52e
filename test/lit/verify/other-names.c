// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// Memory that a pointer of another type names, too, is mapped by its own name; what stands behind a loop on its line stays a statement.
// CHECK: verify: passed
#include <stdio.h>
#include <string.h>
static double d[128];
int main(void) {
  char *c = (char *)d;
  for (int i = 0; i < 128; i++) d[i] = i;
  for (int i = 0; i < 64; i++) c[8 * i] = (char)(i & 3);
  for (int i = 0; i < 128; i++) d[i] = d[i] * 2;
  double s = 0;
  for (int i = 0; i < 128; i++) s += d[i] * (i + 1); s *= 2;
  printf("%.12g\n", s);
  return 0;
}
