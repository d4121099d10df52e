// Loops called parallel, run in other orders with poisoned privates: the same result.
// RUN: %busfare port --variant ordered %s -o %t.c
// REQUIRES: watch
// RUN: sed -e '/\/\/ /d' %t.c | %FileCheck %s
// RUN: %clang -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas %s -o %t.original && %t.original > %t.want
// RUN: %clang -O1 -Wall -Wextra -Werror %t.c %watch -o %t.ordered
// RUN: env BUSFARE_ORDER=forward %t.ordered | cmp - %t.want
// RUN: env BUSFARE_ORDER=reverse %t.ordered | cmp - %t.want
// RUN: env BUSFARE_ORDER=random:1 %t.ordered | cmp - %t.want
// RUN: env BUSFARE_ORDER=random:2 BUSFARE_POISON=0xfe %t.ordered | cmp - %t.want
//
// What the analysis did not see shows: a dependence, a private that is read before it is written.
// RUN: %clang -O1 -DDEPENDENT %s -o %t.original && %t.original > %t.want
// RUN: %clang -O1 -DDEPENDENT %t.c %watch -o %t.ordered
// RUN: env BUSFARE_ORDER=forward %t.ordered | cmp - %t.want
// RUN: env BUSFARE_ORDER=reverse %t.ordered | %not cmp - %t.want
// RUN: env BUSFARE_ORDER=random:1 %t.ordered | %not cmp - %t.want
// RUN: %clang -O1 -DUNSET %s -o %t.original && %t.original > %t.want
// RUN: %clang -O1 -DUNSET %t.c %watch -o %t.ordered
// RUN: env BUSFARE_ORDER=forward %t.ordered | %not cmp - %t.want
#include <stdio.h>
#define N 24

// CHECK: long busfare_order(long, long);
// CHECK: void busfare_poison(void *, unsigned long);
// CHECK: #line 1

static int a[N], b[N], c[N][N], d[N];

// CHECK-LABEL: static void scale
static void scale(const int *from, int *to, unsigned n, int factor) {
  int t = 0;
  // The directive goes, the private variable is overwritten.
  // CHECK-NOT: #pragma
  // CHECK: busfare_order({{.*}}busfare_poison(&t, sizeof t);
#pragma omp parallel for private(t)
  for (unsigned i = 0; i < n; i++) {
#ifndef UNSET
    t = factor * from[i];
#endif
    to[i] = t;
#ifdef DEPENDENT
    to[i] += i > 0 ? to[i - 1] : 0;
#endif
  }
}

// CHECK-LABEL: int main
int main(void) {
  int i, j, k = 0, last = -1, sum = 0, *p = d;
  for (i = 0; i < N; i++)
    a[i] = i * i % 7;
  scale(a, b, N, 3);
  // A last value, a reduction, and the index behind a loop that counts down.
  // CHECK: busfare_last[[L:[0-9]+]]_last
  // CHECK: if (busfare_i[[L]] == busfare_n[[L]] - 1) busfare_last[[L]]_last = last;
  for (i = N - 1; i > 2; i -= 2) {
    last = a[i] + b[i];
    sum += last;
  }
  printf("%d %d %d\n", i, last, sum);
  // A nest; `continue` ends the iteration; inner index and scalar belong to the outer loop too.
  for (i = 0; i != N; ++i) {
    for (j = 0; j <= i; j++) {
      if ((i + j) % 3 == 0)
        continue;
      last = i * j;
      c[i][j] = last + 1;
    }
  }
  printf("%d %d\n", i, c[N - 1][N - 2]);
  // Variables that are stepped along.
  // CHECK: k = busfare_first[[P:[0-9]+]]_k + (3 * (long)i); p = busfare_first[[P]]_p + (2 * (long)i);
  // CHECK: k = busfare_first[[P]]_k + 36; p = busfare_first[[P]]_p + 24;
  for (i = 0; i < N / 2; i++) {
    *p = a[2 * i] + k;
    p += 2;
    k += 3;
  }
  printf("%d %d %d\n", k, (int)(p - d), d[4]);
  // Scratch of which a part is never written: it is there afterwards.
  int w[N + 1];
  w[N] = 17;
  // CHECK: __builtin_memcpy(&w,
  for (i = 0; i < N; i++) {
    for (j = 0; j < N; j++)
      w[j] = c[i][j] + 1;
    for (j = 0; j < N; j++)
      c[i][j] = w[N - 1 - j];
  }
  printf("%d\n", w[N]);
  // A branch without braces, and a loop that does not run.
  if (sum > 0)
    for (i = 3; i < N; i += 4)
      d[i] = i;
  else
    for (i = N; i < 2; i++)
      d[i] = 0;
  // A recurrence stays as it is.
  // CHECK: for (i = 1; i < N; i++)
  for (i = 1; i < N; i++)
    d[i] += d[i - 1];
  long check = 0;
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      check += (long)(c[i][j] + d[j]) * (i + 2 * j);
  printf("%ld %d\n", check, b[5] + b[N - 1]);
  return 0;
}
