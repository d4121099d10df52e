// RUN: %busfare extract %s -- | %FileCheck %s
// RUN: %busfare loops %s -- -fopenmp | %FileCheck %s --check-prefix=LOOPS
// RUN: %busfare loops %s --format json -- -fopenmp | %FileCheck %s --check-prefix=JSON
//
// An index declared before its loop outlives it. In a loop around, that is a variable every iteration writes.

void own_copies(int n, double *a) {
  int i, j;
  // A claim without private(j) is refuted; with collapse(2), j needs no clause.
  // LOOPS-LABEL: own_copies
  // LOOPS: {{[0-9]+}}  i {{ *}}yes {{ *}}private(j)
  // CHECK-LABEL: function own_copies
#pragma omp parallel for
  for (i = 0; i < n; i++)   // CHECK: for i = 0 .. n - 1
    for (j = 0; j < n; j++) // CHECK-NEXT: write j
                            // CHECK-NEXT: for j = 0 .. n - 1
      a[i * n + j] = 0;
#pragma omp parallel for collapse(2)
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      a[i * n + j] = 1;
}

int used_afterwards(int n, double *a) {
  int j = 0;
  // LOOPS-LABEL: used_afterwards
  // LOOPS: {{[0-9]+}}  i {{ *}}yes {{ *}}lastprivate(j)
  for (int i = 0; i < n; i++)
    for (j = 0; j < 8; j++)
      a[i * 8 + j] = 0;
  return j; // CHECK: read j at [[#@LINE]]
}

// Nobody sets j back: the second iteration of i finds it at m.
double carried_on(int n, int m, const double *a) {
  double s = 0;
  int j = 0;
  // CHECK-LABEL: function carried_on
  // LOOPS-LABEL: carried_on
  // LOOPS: {{[0-9]+}}  i {{ *}}no {{ *}}j -> j
  for (int i = 0; i < n; i++)
    for (; j < m; j++) // CHECK: read j at [[#@LINE]]
                       // CHECK-NEXT: write j at [[#@LINE-1]]
      s += a[j];
  return s;
}

// JSON: "findings"
// JSON-NOT: collapse
// JSON: "message": "`parallel for` claims independent iterations, but `j` is written by every iteration and needs private(j)"
// JSON-NOT: collapse
