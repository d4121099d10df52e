// RUN: %busfare extract %s | %FileCheck %s
//
// A statement expression is run, and its last expression is its value: a number, a pointer, an element.
#include <stdio.h>
#include <stdlib.h>
#define max(a, b) ({ int _a = (a), _b = (b); _a > _b ? _a : _b; })
#define checked(bytes)                                                                                                                     \
  ({                                                                                                                                       \
    void *made = malloc(bytes);                                                                                                            \
    if (!made) {                                                                                                                           \
      perror("malloc");                                                                                                                    \
      exit(1);                                                                                                                             \
    }                                                                                                                                      \
    made;                                                                                                                                  \
  })

// CHECK-LABEL: function first(
// CHECK: write a[i]
// CHECK: write b[i.2]
void first(int n, double *a, double *b) {
  double *p = ({
    for (int i = 0; i < n; i++)
      a[i] = 0;
    b;
  });
  for (int i = 0; i < n; i++)
    p[i] = 1;
}

// CHECK-LABEL: function copies(
// CHECK: array made : i32[n] heap
// CHECK: alloc made[n]
// CHECK: for i = 0 .. max(3, n) - 1
// CHECK: write made[i]
// CHECK: free made
void copies(int n, const int *a, int *b) {
  int *t = checked(n * sizeof(int));
  for (int i = 0; i < max(n, 3); i++)
    t[i] = a[i];
  for (int i = 0; i < n; i++)
    b[i] = t[i] + 1;
  free(t);
}

// CHECK-LABEL: function elements(
// CHECK: write a[5]
// CHECK-NEXT: write b[4]
// CHECK-NEXT: write a[6]
// CHECK-NEXT: write b[0]
void elements(double *a, double *b) {
  ({ a[5] = 1; b; })[4] = 3;
  *({ a[6] = 1; b; }) = 3;
}
