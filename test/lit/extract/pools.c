// A block of memory that is used for several types: loads tell nothing of what they reach.
// RUN: %busfare extract %s | %FileCheck %s
// CHECK: types mix
#include <stdlib.h>
struct parts { int *counts; double *values; };
void divide(struct parts *p, int n) {
  void *pool = malloc(n * (sizeof(double) + sizeof(int)));
  p->values = pool;
  for (int i = 0; i < n; i++) p->values[i] = 0;
  p->counts = (int *)((char *)pool + n * sizeof(double));
}
