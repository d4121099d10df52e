// RUN: %busfare extract %s -- -Werror -Wall | %FileCheck %s
// The same words as a pragma; what the preprocessor leaves out is no hint.
#define PARALLEL _Pragma("busfare independent")
#define WIDTH /* busfare: temporary(a) */ 8

// CHECK-LABEL: function f(
void f(int n, double *a, const int *idx) {
#pragma busfare independent size(n=4096)
  for (int i = 0; i < n; i++) a[idx[i]] = 0; // CHECK: hints(independent size(n = 4096) at
  PARALLEL
  for (int i = 0; i < n; i++) a[idx[i]] = 1; // CHECK: hints(independent at
#if 0
  // busfare: temporary(a)
#endif
  for (int i = 0; i < WIDTH; i++) // CHECK: for i.3 = 0 .. 7 at
    a[i] = 2;                     // CHECK-NOT: hints(temporary
}
// CHECK: finding BF021 warning at 4:15 "this hint stands in a macro
