// RUN: %busfare port %s --kernels all 2> %t.notes | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTES < %t.notes
// RUN: %busfare port %s --kernels all --quiet -o %t.c && not clang-19 -fopenmp -fsyntax-only -DN=700 %t.c 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: clang-19 -fopenmp -fsyntax-only -DN=512 %t.c
// REFUSED: busfare has planned the transfers for such sizes
// What is written down where the size is, and is another thing at other sizes: the port has numbers.
#include <stdio.h>

#ifndef N
#define N 512
#endif
// CHECK: _Static_assert(N == 512, "busfare has planned the transfers for such sizes");
// NOTES: settings-as-numbers.c:[[#@LINE-3]]:9: note: the port has the number 512 for N, which the compiler tests: the program is another one where it is built for other sizes

static double u[N];
static char pad[N > 600 ? 8 : 1];

int main(void) {
  for (int i = 0; i < N; i++) u[i] = i;
  // CHECK: #pragma omp target
  for (int i = 0; i < N; i++) u[i] = 2 * u[i] + pad[0];
  printf("%g\n", u[N - 1]);
  return 0;
}
