// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
#include <time.h>
void f(int steps, double *a) {
  for (int t = 0; t < steps; t++) {
    a[0] += clock();
    // CHECK: BF037.c:[[#@LINE-1]]:13: remark: clock reads a clock of the host
  }
}
