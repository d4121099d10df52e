// Loops that may end the program run on the device; what ends it is done by the host behind them.
// RUN: %busfare verify ends.c -- -O2 -lm | %FileCheck %s
// CHECK: verify: passed
// CHECK: 7 kernels; {{[0-9]+}} bytes in and {{[0-9]+}} out beside the arrays
// The same when it does end there: from a loop, from an inner loop, from a nest whose loops are collapsed.
// RUN: %busfare verify ends.c -- -O2 -lm -DBROKEN=1 | %FileCheck %s --check-prefix=BROKEN1
// BROKEN1: verify: passed
// BROKEN1: original ok {{.*}}exit code
// BROKEN1-NEXT: {{ }}3
// RUN: %busfare verify ends.c -- -O2 -lm -DBROKEN=2 | %FileCheck %s --check-prefix=BROKEN2
// BROKEN2: verify: passed
// BROKEN2: original ok {{.*}}exit code
// BROKEN2-NEXT: {{ }}4
// RUN: %busfare verify ends.c -- -O2 -lm -DBROKEN=3 | %FileCheck %s --check-prefix=BROKEN3
// BROKEN3: verify: passed
// BROKEN3: original ok {{.*}}exit code
// BROKEN3-NEXT: {{ }}255
// Of several ways to end the first counts, upwards and downwards.
// RUN: %busfare verify ends.c -- -O2 -lm -DBROKEN=4 | %FileCheck %s --check-prefix=BROKEN4
// BROKEN4: verify: passed
// BROKEN4: original ok {{.*}}exit code
// BROKEN4-NEXT: {{ }}6
// RUN: %busfare verify ends.c -- -O2 -lm -DBROKEN=5 | %FileCheck %s --check-prefix=BROKEN5
// BROKEN5: verify: passed
// BROKEN5: original ok {{.*}}exit code
// BROKEN5-NEXT: {{ }}5
// What is assumed then is neither a size nor an alias.
// RUN: %busfare analyze --strict ends.c --quiet -o %t.txt -- -O2
// What is written:
// RUN: %busfare port --kernels all ends.c -o - -- -O2 | %FileCheck %s --check-prefix=PORT
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 300
#ifndef BROKEN
#define BROKEN 0
#endif
enum { VolumeError = -1 };
static double a[N], b[N], c[N][N], d[N], e[N];

int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = i + 1;
    if (BROKEN == 1 && i == 170) a[i] = -a[i];
  }
  printf("begin\n");
  // PORT: int busfare_ends = 0;
  // PORT-NEXT: #pragma omp target teams distribute parallel for
  // PORT: reduction(max: busfare_ends) map(tofrom: busfare_ends)
  for (int i = 0; i < N; i++) {
    // PORT: if (a[i] < 0) { busfare_ends = 1; continue; }
    if (a[i] < 0) exit(3);
    b[i] = sqrt(a[i]);
  }
  // PORT: if (busfare_ends) exit(3);
  for (int i = 0; i < N; i++) { // PORT: { {
    double sum = 0;
    for (int j = 0; j < N; j++) {
      // PORT: if (BROKEN == 2 && b[j] > 17 && i > 30)
      // PORT-NEXT: { busfare_ends_2 = 1; goto busfare_left_2; }
      if (BROKEN == 2 && b[j] > 17 && i > 30)
        exit(4);
      sum += b[j] * i;
    }
    double mean = sum / N;
    d[i] = mean;
  } // PORT: } busfare_left_2: ; }
  // PORT-NEXT: if (busfare_ends_2) exit(4);
  // PORT: collapse(2)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      // PORT: if (BROKEN == 3 && d[i] * j > 1000.0) { busfare_ends_3 = 1; continue; }
      if (BROKEN == 3 && d[i] * j > 1000.0) exit(VolumeError);
      c[i][j] = d[i] - b[j];
    }
  // PORT: if (busfare_ends_3) exit(VolumeError);
  for (int i = 0; i < N; i++) {
    // PORT: if (!(d[i] >= 0.0)) { busfare_ends_4 = 1; continue; } else (void)0;
    assert(d[i] >= 0.0);
    double sum = 0;
    for (int j = 0; j < N; j++) sum += c[i][j];
    e[i] = sum;
  }
  // PORT: if (busfare_ends_4) __assert_fail("d[i] >= 0.0", "{{.*}}ends.c", [[#]], "int main(void)");
  // PORT: long busfare_ends_5 = __LONG_MAX__;
  // PORT: reduction(min: busfare_ends_5)
  for (int i = N - 1; i >= 0; i--) {
    // PORT: { if (-(long)i * 2 + 0 < busfare_ends_5) busfare_ends_5 = -(long)i * 2 + 0; continue; }
    if (BROKEN >= 4 && d[i] >= 0 && i == (BROKEN == 4 ? 20 : 270)) exit(5);
    if (BROKEN >= 4 && d[i] >= 0 && i == 200) _Exit(6);
    e[i] -= d[i];
  }
  // PORT: if (busfare_ends_5 != __LONG_MAX__ && (busfare_ends_5 & 1) == 0) exit(5);
  // PORT-NEXT: if (busfare_ends_5 != __LONG_MAX__ && (busfare_ends_5 & 1) == 1) _Exit(6);
  // Two asserts, and a body without braces.
  // PORT: { if ((long)i * 2 + 0 < busfare_ends_6) busfare_ends_6 = (long)i * 2 + 0; goto busfare_left_6; } else (void)0;
  // PORT: } busfare_left_6: ; }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      assert(c[i][j] < 1e9);
      assert(c[i][j] > -1e9 || !"too little");
      c[i][j] += 1;
    }
  double all = 0;
  for (int i = 0; i < N; i++) all = all * 0.5 + e[i] * d[i] + c[i][i];
  printf("%.9g\n", all);
}
