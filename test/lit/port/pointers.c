// RUN: %busfare port %s -o %t.c
// RUN: %FileCheck %s < %t.c
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// A pointer that every iteration sets anew is private; one that walks keeps its loop on the host.
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40;
  double *a = malloc(sizeof(double) * n * 30), *b = malloc(sizeof(double) * n * 30);
  double *row, *way = b;
  for (int i = 0; i < n * 30; i++)
    a[i] = i % 17;
  // CHECK: {{^}}#pragma omp target teams distribute parallel for map(alloc: a[0:30 * (long)n]) private(row)
  for (int i = 0; i < n; i++) {
    row = a + i * 30;
    for (int j = 0; j < 30; j++)
      row[j] = 2 * row[j] + 1;
  }
  // CHECK: {{^}}#pragma omp target update from(a
  // CHECK-NEXT: for (int i
  for (int i = 0; i < n * 30; i++)
    *way++ = a[i] * 0.5;
  double s = 0;
  for (int i = 0; i < n * 30; i++)
    s += b[i] * (i % 5);
  printf("%.17g\n", s);
  free(a);
  free(b);
  return 0;
}
