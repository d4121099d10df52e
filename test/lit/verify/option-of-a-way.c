// A way that an option chooses: kernels on one side of the branch, the host on the other. The copies stand on the host's side,
// and whichever way is taken, what is read is current.
// RUN: %busfare verify --mutants %s --args 3 -- -O2 | %FileCheck %s
// RUN: %busfare verify --mutants %s --args "3 serial" -- -O2 | %FileCheck %s --check-prefix=SERIAL
// RUN: %busfare port --kernels all %s -o - -- -O2 | grep -v "// [A-Z]" | %FileCheck %s --check-prefix=PORT
// CHECK: verify: passed
// SERIAL: verify: passed
// SERIAL: Mutants: {{[1-9][0-9]*}} caught, {{[0-9]+}} excused, 0 survived
#include <stdio.h>
#include <stdlib.h>
#define N 400
static double a[N], b[N];

int main(int argc, char **argv) {
  int serial = 0, steps = atoi(argv[1]);
  if (argc == 3) serial = 1;
  for (int i = 0; i < N; i++) a[i] = i % 7, b[i] = 1;
  // PORT: for (int t = 0
  for (int t = 0; t < steps; t++) {
    // PORT-NOT: target update
    // PORT: if (!serial
    if (!serial || t == 1) {
      // PORT-NOT: target update
      // PORT: target teams
      for (int i = 1; i < N - 1; i++) b[i] += a[i - 1] + a[i + 1];
      // PORT-NOT: target update
      // PORT: else
    } else {
      // PORT: target update from(a
      for (int i = 1; i < N - 1; i++) b[i] = b[i - 1] * 0.5 + a[i + 1];
      // PORT: target update to(b
    }
    // PORT-NOT: target update
    // PORT: target teams
    for (int i = 0; i < N; i++) a[i] += 1;
  }
  double s = 0;
  for (int i = 0; i < N; i++) s += b[i] * (i % 3);
  printf("%.12g\n", s);
  return 0;
}
