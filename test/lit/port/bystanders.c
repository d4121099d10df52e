// An array that a kernel names but never touches has no device memory. A watched kernel must not find it on the host either.
// REQUIRES: watch, gcc, offload
// RUN: %busfare port %s --variant watched | grep -v "// [A-Z]" | %FileCheck %s
// CHECK: static double idle[200] __attribute__((aligned(4096), section("busfare_pages_of_idle")));
// CHECK: busfare_bystander("main", "idle", &idle[0], sizeof idle);
// CHECK-NEXT: #pragma omp target teams distribute parallel for
// CHECK: map(alloc: idle[0:0])
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s --check-prefix=VERIFY
// VERIFY: verify: passed
#include <stdio.h>
#include <stdlib.h>
static double idle[200];
static double a[100];

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  for (int i = 0; i < n; i++)
    a[i] = rand() % 100;
  for (int i = 0; i < n; i++) {
    for (int j = n; j < i; j++)
      idle[j] += a[i];
    a[i] *= 2;
  }
  for (int i = 0; i < n; i++)
    printf("%g %g\n", a[i], idle[i]);
  return 0;
}
