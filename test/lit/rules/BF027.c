// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
  for (int i = 0; i < n; i++)
    __asm__ volatile("" : : "r"(&a[i]) : "memory");
  // CHECK: BF027.c:[[#@LINE-1]]:5: remark: inline assembly is not read
}
