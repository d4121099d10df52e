// A time loop that ends when the data say so: its limit is no trip count.
// RUN: %busfare analyze --details early-time-loop.c -- | FileCheck %s
// RUN: %busfare analyze --details %s --iterations 10 -- | FileCheck %s --check-prefix=GIVEN
// RUN: not %busfare analyze --details %s --iterations 10000000 -- 2>&1 | FileCheck %s --check-prefix=TOO-MANY
#include <stdio.h>
static double a[1000000], b[1000000];
int main(void) {
  double t = 0;
  int c = 0;
  while (t < 1.0 && c < 9999999) {
    for (int k = 1; k < 999999; k++) b[k] = 0.5 * (a[k - 1] + a[k + 1]) + 1;
    for (int k = 1; k < 999999; k++) a[k] = b[k];
    t += 0.1;
    c++;
  }
  printf("%f %d\n", a[5], c);
}
// CHECK: assumed 100 time steps: 0.{{[0-9]+}}x
// CHECK: early-time-loop.c:10:3: remark: the time loop runs at most 9999999 times and
// CHECK-NEXT: may stop earlier; it is taken to run 100 times (--iterations sets it)
// CHECK-NEXT: [BF015]
// GIVEN: today's 10
// GIVEN-NOT: BF015
// TOO-MANY: the program runs this loop at most 9999999 times; --iterations 10000000 contradicts it
