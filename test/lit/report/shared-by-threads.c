// A loop that threads share by hand: which line makes it so, and what would let it be priced.
// RUN: %busfare analyze %s -- -fopenmp | FileCheck %s
#include <math.h>
#include <omp.h>
#define N 4000000
static double field[N];
int main(void) {
  // CHECK: the threads of{{[[:space:]]+}}the host share it (a parallel region of which every thread runs{{[[:space:]]+}}line [[#@LINE+3]])
#pragma omp parallel
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
    for (int i = me; i < N; i += all) field[i] = sin(field[i]) + exp(field[i]);
  }
  return field[7] > 1;
}
