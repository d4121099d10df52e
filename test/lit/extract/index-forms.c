// RUN: %busfare extract %s -- | %FileCheck %s
// Ways to count that are not `for (i = 0; i < n; i++)`.
#include <stddef.h>
// CHECK-NOT: trips
void sizes(size_t n, double *a, double *b) {
  for (size_t i = n; i-- > 0;) a[i] = 1;              // CHECK: for i = n - 1 .. 0 step -1 at
  for (size_t i = n - 1; i != (size_t)-1; --i) b[i] = 1; // CHECK: for i.2 = n - 1 .. 0 step -1 at
  for (size_t i = 0; i + 1 < n; i++) a[i] = a[i + 1]; // CHECK: for i.3 = 0 .. n - 2 at
}
// CHECK-LABEL: function tested(
void tested(int n, int m, double *a) {
  for (int i = n; i; i--) a[i - 1] = 0; // CHECK: for i = n .. 1 step -1 at
                                        // CHECK: write a[i - 1]
  while (m) {                           // CHECK: for m.2 = m .. 1 step -1 while at
    a[m] = 1;                           // CHECK: write a[m.2]
    m--;
  }
}
// CHECK-LABEL: function towards(
void towards(long n, double *a) {
  for (long i = 0, j = n - 1; i < j; ++i, --j) a[i] = a[j]; // CHECK: for i = 0 .. floor(n / 2) - 1 at
                                                            // CHECK: read a[n - i - 1]
                                                            // CHECK: write a[i]
}
// CHECK-LABEL: function halves(
void halves(unsigned long long n, const float *a, float *b) {
  for (unsigned long long i = 1; i <= n - 1; i += 2) b[i >> 1] = a[i]; // CHECK: for i = 1 .. n - 1 step 2
                                                                      // CHECK: write b[floor(i / 2)]
}
// CHECK-LABEL: function left(
void left(int n, double *a) {
  for (int i = 0; i < n; i++) { // CHECK: for i = 0 .. n - 1 early-exit
    if (a[i] < 0) break;
    if (a[i] > 9) return;
    a[i] = 0;
  }
  a[n] = 1; // CHECK: if ? rest
            // CHECK: write a[n]
}
