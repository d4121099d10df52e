// What the condition of a `do` reads comes back behind the last statement of its body.
// RUN: %busfare verify do-conditions.c -- -O2 | %FileCheck %s
// RUN: %busfare port do-conditions.c --kernels all 2>%t.err | grep -v '//' | %FileCheck --check-prefix=PORT %s
// RUN: %FileCheck --check-prefix=WHY --input-file %t.err %s
// CHECK: verify: passed
// CHECK: v main d2h {{.*}}equal
#include <stdio.h>
#define N 512
static double u[N], v[N], w[N];

// PORT-LABEL: static void settle(
// PORT: u[i] = v[i];
// PORT-NEXT: {{^ *}}steps++;
// PORT-NEXT: {{^}}#pragma omp target update from(v[256:1])
// PORT-NEXT: {{^ *}}} while (v[N / 2] > 0.4 && steps < 40);
static void settle(void) {
  int steps = 0;
  do {
    for (int i = 1; i < N - 1; i++)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < N - 1; i++)
      u[i] = v[i];
    steps++;
  } while (v[N / 2] > 0.4 && steps < 40);
  printf("%d\n", steps);
}

/* A jump to the condition would pass the copy by. */
// WHY: do-conditions.c:{{[0-9]+}}:{{[0-9]+}}: warning: {{.*}}a copy would have to stand inside the statement
static void skip(void) {
  int steps = 0;
  do {
    for (int i = 1; i < N - 1; i++)
      w[i] = 0.5 * (u[i - 1] + w[i]);
    if (++steps % 2)
      continue;
    printf("even\n");
  } while (w[N / 2] > 0.2 && steps < 10);
  printf("%d\n", steps);
}

int main(void) {
  for (int i = 0; i < N; i++)
    u[i] = w[i] = i % 7 * 0.3;
  settle();
  skip();
  printf("%g %g %g\n", u[3], v[100], w[200]);
  return 0;
}
