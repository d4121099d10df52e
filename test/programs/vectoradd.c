//===- test/programs/vectoradd.c - c = a + b --------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Adds two vectors of 16 Mi floats. In the style of a first OpenMP exercise:
// one parallel loop, three arrays on the heap, one flop for twelve bytes.
//
//===----------------------------------------------------------------------===//
#include <stdio.h>
#include <stdlib.h>

#ifndef LENGTH
#define LENGTH (16 * 1024 * 1024)
#endif

static void add(float *c, const float *a, const float *b, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}

/* Serial: rand() hands out one number after the other. */
static void fill(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = (float)(rand() % 1000) * 0.001f;
}

/* Depends on the order of the elements, as a hash does. */
static double checksum(const float *x, int n) {
  double sum = 0.0, ofSums = 0.0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    ofSums += sum;
  }
  return ofSums / n;
}

int main(void) {
  float *a = (float *)malloc(LENGTH * sizeof(float));
  float *b = (float *)malloc(LENGTH * sizeof(float));
  float *c = (float *)malloc(LENGTH * sizeof(float));
  if (!a || !b || !c) {
    fprintf(stderr, "vectoradd: out of memory\n");
    return 1;
  }
  srand(7);
  fill(a, LENGTH);
  fill(b, LENGTH);

  add(c, a, b, LENGTH);

  printf("vectoradd %d: checksum %.6e\n", LENGTH, checksum(c, LENGTH));
  free(a);
  free(b);
  free(c);
  return 0;
}
