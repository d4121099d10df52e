// Work that threads of the host share by hand stays there, and what it touches is known: the field stays on the device but for
// what they read.
// RUN: %busfare extract threads-by-hand.c | %FileCheck threads-by-hand.c --check-prefix=SKELETON
// RUN: %busfare verify threads-by-hand.c | %FileCheck threads-by-hand.c
// CHECK: verify: passed
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define N 500
#define MOST 256
static double field[N], other[N], least[MOST];
static int where[MOST], rounds;
int main(void) {
  int threads = omp_get_max_threads() < MOST ? omp_get_max_threads() : MOST;
  for (int i = 0; i < N; i++) field[i] = (i * 37) % 101, other[i] = i;
  double sum = 0;
  for (int t = 0; t < 5; t++) {
    for (int i = 0; i < N; i++) field[i] = field[i] * 0.75 + other[i];
    // SKELETON: define threads.{{[0-9]+}} usually 1
    // SKELETON: for thread = 0 ..
    // SKELETON-NEXT: host threads
    // SKELETON-NOT: opaque
    // SKELETON-NOT: {{ }}write least
    // SKELETON: may write least[
    // SKELETON: may update rounds
#pragma omp parallel num_threads(threads)
    {
      int me = omp_get_thread_num(), at = -1;
      double lowest = 1e30;
#pragma omp for nowait
      for (int i = 0; i < N; i++)
        if (field[i] < lowest) lowest = field[i], at = i;
      least[me] = lowest;
      where[me] = at;
#pragma omp atomic
      rounds++;
    }
    int found = 0;
    for (int k = 1; k < threads; k++)
      if (least[k] < least[found]) found = k;
    sum += least[found] + where[found];
    // What the region did to it is not known.
    // SKELETON: read rounds
    // SKELETON: if ? at
    if (rounds % 7 > 2) other[0] += 1;
  }
  for (int i = 0; i < N; i++) sum += field[i] + other[i];
  printf("%.9g\n", sum - rounds + threads * 5);
  return 0;
}
