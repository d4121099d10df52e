// A loop that a function shares out among the threads of its caller's parallel region (`omp for` alone): every thread calls the
// function, so one thread runs that region, or each would run the kernel.
// RUN: %busfare port --kernels all orphaned-worksharing.c -- -fopenmp | %FileCheck orphaned-worksharing.c --check-prefix=PORT
// RUN: %busfare verify --kernels all orphaned-worksharing.c -- -fopenmp | %FileCheck orphaned-worksharing.c
// CHECK: verify: passed
#include <stdio.h>
#define N 400
static double field[N], source[N];
// PORT: static void add
// PORT: #pragma omp target teams distribute parallel for
static void add(double *into, const double *from) {
#pragma omp for
  for (int i = 0; i < N; i++) into[i] += from[i] * 2;
}
static void step(void) { add(field, source); }
int main(void) {
  for (int i = 0; i < N; i++) field[i] = i, source[i] = 1 + i % 7;
  for (int t = 0; t < 5; t++) {
// PORT: #pragma omp parallel num_threads(1)
#pragma omp parallel
    {
      step();
    }
  }
  double sum = 0;
  for (int i = 0; i < N; i++) sum += field[i] + source[i];
  printf("%.9g\n", sum);
  return 0;
}
