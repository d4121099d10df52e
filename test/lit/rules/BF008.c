// RUN: %busfare analyze --details %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) { // CHECK: BF008.c:2:6: remark: nothing binds f::n; it is taken as 1024
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
