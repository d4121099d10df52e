// Subscripts and expressions that macros write.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 3 caught, 1 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

#define NX 11
#define NY 9
#define AT(u, j, i) (u)[(j) * NX + (i)]
#define LAPLACE(u, j, i) (AT(u, j, i - 1) + AT(u, j, i + 1) + AT(u, j - 1, i) + AT(u, j + 1, i) - 4 * AT(u, j, i))
static double field[NX * NY], result[NX * NY];

int main(void) {
  for (int k = 0; k < NX * NY; k++)
    field[k] = rand() % 100;
  for (int j = 1; j < NY - 1; j++)
    for (int i = 1; i < NX - 1; i++)
      AT(result, j, i) = LAPLACE(field, j, i);
  for (int k = 0; k < NX * NY; k++)
    printf("%g\n", result[k]);
  return 0;
}
