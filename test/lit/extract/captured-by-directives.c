// RUN: %busfare extract %s -- -fopenmp | %FileCheck %s
// What a directive captures is part of the code around it.
// CHECK-LABEL: function stepped(
void stepped(double *a, int n, int steps) {
  int k = 0;
  for (int t = 0; t < steps; t++) {
#pragma omp parallel
    {
#pragma omp single
      k += 5;
    }
    // CHECK: write a[i + 5*t + 5]
    for (int i = 0; i < n; i++) a[k + i] = 1;
  }
}
// CHECK-LABEL: function bounded(
void bounded(double *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    // CHECK: for t
    // CHECK: define `b[0]`
    // CHECK: for i = 0
    for (int i = 0; i < b[0]; i++) a[i] = 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) b[i] = i;
  }
}
static int done;
void unseen(void);
// CHECK-LABEL: function flagged(
void flagged(double *a) {
  done = 1;
#pragma omp parallel
  {
#pragma omp single
    done = 2;
  }
  // CHECK: write a[2]
  a[done] = 1;
}
