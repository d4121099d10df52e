// RUN: %busfare port %s 2>&1 -o - | %python %S/../rules/Inputs/unwrap.py | %FileCheck %s
// RUN: %busfare verify %s 2>&1 | %python %S/../rules/Inputs/unwrap.py | %FileCheck %s --check-prefix=VERIFY
// VERIFY: no loop was ported
#include <stdlib.h>
int main(void) {
  int n = 100, m = 50;
  double **a = malloc(n * sizeof(double *)), sum = 0;
  for (int i = 0; i < n; i++) a[i] = malloc(m * sizeof(double));
  // CHECK: rows.c:[[#@LINE+1]]:3: {{.*}}each row of a[] is memory of its own; the rows have to be put into one array first [BF040]
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = i + j;
  for (int i = 0; i < n; i++) sum += a[i][3];
  return sum > 3;
}
