// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
#include <stdlib.h>
void f(int n, double *a) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0) abort();
    // CHECK-DAG: BF038.c:[[#@LINE-1]]:19: note: abort() may end the program from inside the loop at line [[#@LINE-2]]:{{.*}} [BF038]
  }
}
void g(int n, const int *error) {
  for (int i = 0; i < n; i++)
    if (error[i]) exit(error[i]);
  // CHECK-DAG: BF038.c:[[#@LINE-1]]:19: remark: exit ends the program from inside a loop, and how it ends is computed there; the call stays on the host, and so do the loops around it [BF038]
}
