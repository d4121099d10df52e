// Numbers for the device alone that are declared before it is known whether the region runs there.
// RUN: %busfare port --kernels all --one-thread %s -o %t.c
// RUN: sed -e '/\/\/ /d' %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.c -o %t.clang
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.clang | cmp - %t.want
// REQUIRES: gcc, offload
#include <stdio.h>
#include <stdlib.h>

// CHECK: double d, e;
// CHECK-NEXT: int n =
// CHECK: const int busfare_runs =
// CHECK: map(tofrom: d, e)
int main(int argc, char **argv) {
  static double a[800], u[800];
  for (int i = 0; i < 800; i++)
    a[i] = i * 0.5;
  printf("%g\n", a[4]);
  double d, e;
  int n = argc > 1 ? atoi(argv[1]) : 500;
  int m = argc > 2 ? atoi(argv[2]) : 3;
  for (int t = 0; t < m; t++) {
    for (int i = 0; i < n; i++)
      a[i] += i;
    d = a[0] * 2;
    e = d + a[3];
    for (int i = 1; i < n; i++)
      u[i] = a[i] + a[i - 1];
    u[0] = d + e;
    for (int i = 1; i < n; i++)
      u[i] += a[i] + a[i - 1] + u[0];
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * (i % 3) + u[i];
  printf("%.9g %.9g\n", s, u[0]);
  return 0;
}
