// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
#include <setjmp.h>
jmp_buf again;
void f(int n, double *a) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0) longjmp(again, 1);
    // CHECK: BF039.c:[[#@LINE-1]]:19: remark: longjmp lets control come back from elsewhere
  }
}
