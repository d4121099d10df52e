// Device memory ends where the host's does, and nothing of it stays: the four numbers behind it lie where the struct was.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | FileCheck %s
// RUN: %busfare port %s | grep -v '//' | %FileCheck %s --check-prefix=PORT
// CHECK: verify: passed
// CHECK: few main d2h 8 8 equal
// CHECK: Mutants: 2 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

struct grid { double *u; long n, steps, spare; };

int main(void) {
  struct grid *g = malloc(sizeof *g);
  g->n = 100;
  g->u = malloc(100 * sizeof(double));
  double sum = 0;
  // A clause that named g->u would map the pointer too, and keep it.
  // PORT:      double *const busfare_g_u = g->u;
  // PORT-NEXT: (void)busfare_g_u;
  // PORT-NEXT: #pragma omp target enter data map(alloc: busfare_g_u[0:100])
  for (int i = 0; i < 100; i++)
    g->u[i] = i + 1.5;
  for (int i = 0; i < 100; i++)
    sum += g->u[i];
  printf("%g\n", sum);
  // PORT:      #pragma omp target exit data map(delete: busfare_g_u[0:100])
  // PORT-NEXT: }
  // PORT-NEXT: free(g->u);
  free(g->u);
  free(g);
  // Declared between kernels: behind the declaration it has a name.
  // PORT:      double *few = malloc(4 * sizeof(double));
  // PORT-NEXT: #pragma omp target enter data map(alloc: few[0:4])
  double *few = malloc(4 * sizeof(double));
  for (int i = 0; i < 4; i++)
    few[i] = i * sum;
  printf("%g %g\n", few[3], sum);
  free(few);
}
