// Reductions: sums, products, minima, maxima, bits, logic, and into arrays.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}2 kernels;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 200, BINS = 8 };

int main(void) {
  static int a[N], bins[BINS];
  for (int i = 0; i < N; i++)
    a[i] = rand() % 1000;
  int sum = 0, least = a[0], most = a[0], bits = 0, common = ~0, odd = 0, isAny = 0, areAll = 1;
  unsigned product = 1;
  for (int i = 0; i < N; i++) {
    sum += a[i];
    product *= (unsigned)a[i] | 1u;
    least = a[i] < least ? a[i] : least;
    if (a[i] > most)
      most = a[i];
    bits |= a[i];
    common &= a[i] | 5;
    odd ^= a[i];
    isAny = isAny || a[i] == 999;
    areAll = areAll && a[i] < 1000;
  }
  for (int i = 0; i < N; i++)
    bins[a[i] % BINS]++;
  printf("%d %u %d %d %d %d %d %d %d\n", sum, product, least, most, bits, common, odd, isAny, areAll);
  for (int i = 0; i < BINS; i++)
    printf("%d\n", bins[i]);
  return 0;
}
