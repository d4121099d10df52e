// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
#include <stdio.h>
void f(int n, const double *a) {
  for (int i = 0; i < n; i++)
    printf("%g", a[i]);
  // CHECK: BF004.c:[[#@LINE-1]]:5: remark: printf does input or output, in order, and
}
