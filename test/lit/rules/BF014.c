// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void f(int n, double *a) {
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1];
  // CHECK: BF014.c:[[#@LINE-2]]:3: warning: `parallel for` claims independent iterations, but a[i]
}
void g(int n, const int *to, double *a) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[to[i]] = i;
  // CHECK: BF014.c:[[#@LINE-2]]:3: remark: `parallel for` claims independent iterations, but a[?]{{.*}}(not proved either way; --trust-directives believes it)
}
