// A region begins in a function whose array is gone when it ends: the array's device memory goes with its block.
// RUN: %busfare port --kernels all --variant present %s -o %t.c
// RUN: sed -e '/\/\/ /d' %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.c -o %t.present
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.present | cmp - %t.want
// REQUIRES: offload
#include <stdio.h>
#include <stdlib.h>

// CHECK: void begin(int *lists, int n) {
// CHECK: #pragma omp target enter data map(alloc: ghosts[0:6])
// CHECK: #pragma omp target exit data map(delete: ghosts[0:6])
// CHECK-NEXT: }
static __attribute__((noinline)) void begin(int *lists, int n) {
  int ghosts[6];
  for (int i = 0; i < 6; i++)
    ghosts[i] = -i;
  for (int i = 0; i < 6; i++)
    lists[i] = rand() % 2 ? ghosts[i] : n;
}

int main(void) {
  enum { N = 500 };
  static int lists[6];
  static double u[N];
  begin(lists, N);
  for (int i = 0; i < N; i++)
    u[i] = i;
  double all = 0;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < N; i++)
      u[i] += t;
    all = all * 0.5 + u[3];
  }
  printf("%g %d\n", all, lists[3] == -3 || lists[3] == N);
  return 0;
}
