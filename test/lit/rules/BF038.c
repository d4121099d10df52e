// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
#include <stdlib.h>
void f(int n, double *a) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0) abort();
    // CHECK: BF038.c:[[#@LINE-1]]:19: remark: abort ends the program from inside a loop
  }
}
