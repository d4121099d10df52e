// RUN: %busfare extract %s -- | FileCheck %s
// An index carried through two loops, and a row pointer.
void gather_rows(int n, int m, double *a, const double *b) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    const double *row = b + i * m;
    for (int j = 0; j < m; j++) {
      a[k] = row[j]; // CHECK: read b[i*m + j]
                     // CHECK-NEXT: write a[i*max(0, m) + j]
      k++;           // CHECK-NEXT: write k induction
    }
  }
}

// Set anew by the loop around: a closed form in the inner one, which begins with no copy's value.
void rows(int n, int m, double *a) {
  int k;
  // CHECK-LABEL: function rows
  for (int i = 0; i < n; i++) {
    k = 0; // CHECK: write k at
    for (int j = 0; j < m; j++) {
      a[i * m + k] = 1;
      k++; // CHECK: write k induction
    }
  }
}

// Not set anew: the second turn of i goes on from where the first stopped, or from 7.
int go_on(int n, const double *b) {
  int k = 0;
  // CHECK-LABEL: function go_on
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 3; j++) // CHECK: read k at [[#@LINE]]
      k++;                      // CHECK: write k induction
    if (b[i] > 0)
      k = 7;
  }
  return k;
}
