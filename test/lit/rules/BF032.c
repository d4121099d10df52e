// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
#include <stdlib.h>
void f(int n, double *a) {
  for (int i = 0; i < n; i++) {
    // CHECK: BF032.c:[[#@LINE-1]]:3: remark: t is allocated in every iteration, which only the host can do; the loop stays
    double *t = malloc(n * sizeof *t);
    for (int j = 0; j < n; j++) t[j] = a[j];
    for (int j = 0; j < n; j++) a[j] = t[n - 1 - j];
    free(t);
  }
}
