// What a function and its nests read and write, as boxes with inclusive bounds; one row for accesses that share a box.
//
// RUN: %busfare sections %s --function blur | %FileCheck %s
// RUN: %busfare sections %s --function blur --format json | %FileCheck %s --check-prefix=JSON
// RUN: %busfare sections %s --function triangle | %FileCheck %s --check-prefix=TRIANGLE
// RUN: %busfare sections %s --function columns | %FileCheck %s --check-prefix=COLUMNS
// RUN: %busfare sections %s --function gather | %FileCheck %s --check-prefix=GATHER
// RUN: %busfare sections %s -- -DROWS=9 | %FileCheck %s --check-prefix=ROOTS

#ifndef ROWS
#define ROWS n
#endif

// CHECK: function blur at {{.*}}grid.c:[[#@LINE+8]]
// Of a two-column grid nothing is read: at most.
// CHECK: a {{.*}}read, live-in {{.*}}at most{{ +}}[0:n-1:1][0:m-1:1]
// CHECK: out {{.*}}write{{.*}} exact{{ +}}[0:n-1:1][1:m-2:1]
// CHECK-LABEL: nest in blur
// CHECK: out {{.*}}[0:n-1:1][1:m-2:1]
// JSON: "output": "sections"
// JSON: "scope": "function"
void blur(int n, int m, const float a[ROWS][m], float out[ROWS][m]) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 1; j < m - 1; j++)
      out[i][j] = a[i][j - 1] + a[i][j] + a[i][j + 1];
}

// A triangle's box holds more than the triangle.
// TRIANGLE: l {{.*}}at most{{ +}}[0:n-1:1][0:n-1:1]
void triangle(int n, double l[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      l[i][j] = 1.0;
}

// Every second column keeps its stride.
// COLUMNS: a {{.*}}write{{.*}} exact{{ +}}[0:n-1:1][0:98:2]
void columns(int n, int a[n][100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j += 2)
      a[i][j] = i;
}

// A gather takes the whole array, and says so.
// GATHER: x {{.*}}at most
// GATHER: grid.c:{{.*}} remark: {{.*}}
// GATHER: [BF001]
void gather(int n, const int *col, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = x[col[i]];
}

// Without --function every function that nobody calls is a root.
// ROOTS: function blur
// ROOTS: [0:8:1][0:m-1:1]
// ROOTS: function triangle
// ROOTS: function columns
// ROOTS: function gather
