// A guarded port is right on both sides of its guards, whichever of the two the sizes of the run are, and each of its constructs
// heeds the flag.
// RUN: %busfare verify --guard --mutants %s --runs 1 --param n=4M --param steps=1000 --args "600 3" -- -O1 | %FileCheck %s
// RUN: %busfare verify --guard --mutants %s --runs 1 --param n=4M --param steps=1000 --args "600 3" --format json -- -O1 | %FileCheck --check-prefix=JSON %s
// CHECK: verify: passed
// CHECK: watched fresh memory 0x7e, 1 team {{.*}}ok same output
// CHECK: watched no guard holds, 0x7e ok same output, host alone
// CHECK: watched no guard holds, 0xfe ok same output, host alone
// CHECK: Guards, each run both ways
// CHECK: n > {{[0-9]+}} && steps > {{[0-9]+}}
// CHECK-SAME: does not hold
// CHECK: Constructs without their guards: {{[1-9][0-9]*}} caught, 0 excused, 0 survived
// CHECK: target update main {{.*}} caught
// CHECK: target enter data main {{.*}} caught
// CHECK: target exit data main {{.*}} caught
// JSON: "guard_mutants": [
// JSON: "construct": "target"
// JSON: "fate": "caught"
// JSON-NOT: "fate": "survived"
#include <stdio.h>
#include <stdlib.h>

static void relax(double *restrict to, const double *restrict from, int n) {
  for (int i = 1; i < n - 1; i++)
    to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000, steps = argc > 2 ? atoi(argv[2]) : 10;
  double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
  int seed = 1;
  for (int i = 0; i < n; i++) {
    seed = (seed * 211 + 7) % 1009;
    u[i] = v[i] = seed;
  }
  for (int t = 0; t < steps; t++) {
    relax(v, u, n);
    relax(u, v, n);
  }
  for (int i = 0; i < n; i++)
    printf("%g ", u[i]);
  free(u);
  free(v);
  return 0;
}
