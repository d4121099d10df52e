// What is said before the program ends is said by the host, behind the loop: once, by the first iteration that comes to it.
// RUN: %busfare verify last-words.c -- -O2 | %FileCheck %s
// CHECK: verify: passed
// CHECK: 2 kernels
// RUN: %busfare verify last-words.c -- -O2 -DBROKEN=1 | %FileCheck %s --check-prefix=BROKEN1
// BROKEN1: verify: passed
// BROKEN1: original ok {{.*}}exit code
// BROKEN1-NEXT: {{ }}3
// RUN: %busfare verify last-words.c -- -O2 -DBROKEN=2 | %FileCheck %s --check-prefix=BROKEN2
// BROKEN2: verify: passed
// BROKEN2: original ok {{.*}}exit code
// BROKEN2-NEXT: {{ }}4
#include <stdio.h>
#include <stdlib.h>
#define N 300
#ifndef BROKEN
#define BROKEN 0
#endif
static double a[N], b[N];

static void halve(void) {
  for (int i = 0; i < N; i++) {
    if (a[i] < 0.0) {
      printf("negative\n");
      exit(3);
    }
    b[i] = 0.5 * a[i];
  }
}

/* Which of the two is said depends on which iteration comes first. */
static void bound(void) {
  for (int i = 0; i < N; i++) {
    if (b[i] > 1000.0) {
      puts("large");
      exit(4);
    } else if (b[i] > 900.0) {
      puts("nearly");
      exit(4);
    }
    a[i] = b[i] + 1.0;
  }
}

int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = rand() % 100;
  if (BROKEN == 1)
    a[17] = a[200] = -1.0;
  if (BROKEN == 2) {
    a[40] = 1900.0;
    a[41] = 9000.0;
  }
  halve();
  bound();
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum = sum * 0.5 + a[i];
  printf("%g\n", sum);
  return 0;
}
