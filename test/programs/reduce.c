//===- test/programs/reduce.c - Sum, extremes and dot product ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Four reductions over two vectors: sum, minimum, maximum, dot product. In the
// style of the statistics part of a simulation's output step.
//
//   reduce      -DLENGTH=4194304
//
// Every loop is parallel as a reduction; what comes back is scalars.
//
//===----------------------------------------------------------------------===//
#include <stdio.h>
#include <stdlib.h>

#ifndef LENGTH
#define LENGTH (4 * 1024 * 1024)
#endif

static double x[LENGTH], y[LENGTH];

static double sum_of(const double *a, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

static double largest_of(const double *a, int n) {
  double largest = a[0];
#pragma omp parallel for reduction(max : largest)
  for (int i = 1; i < n; i++)
    if (a[i] > largest)
      largest = a[i];
  return largest;
}

static double smallest_of(const double *a, int n) {
  double smallest = a[0];
#pragma omp parallel for reduction(min : smallest)
  for (int i = 1; i < n; i++)
    smallest = a[i] < smallest ? a[i] : smallest;
  return smallest;
}

static double dot(const double *a, const double *b, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

int main(void) {
  srand(29);
  for (int i = 0; i < LENGTH; i++) {
    x[i] = (double)(rand() % 4096) - 1024.0;
    y[i] = (double)(rand() % 4096);
  }
  printf("reduce %d: sum %.6e largest %.1f smallest %.1f dot %.6e\n", LENGTH, sum_of(x, LENGTH),
         largest_of(x, LENGTH), smallest_of(x, LENGTH), dot(x, y, LENGTH));
  return 0;
}
