// RUN: %busfare extract %s -- | FileCheck %s
// RUN: %busfare loops %s -- | FileCheck %s --check-prefix=LOOPS
// Pointers that walk get a closed form, and the variable itself a copy for each iteration.
void copy(int n, double *p, const double *q) {
  while (n > 0) {  // CHECK: for n.2 = n .. 1 step -1 while
    *p++ = *q++;   // CHECK-NEXT: read q[n - n.2]
    n--;           // CHECK-NEXT: write p[n - n.2]
  }                // CHECK: write `p (pointer)` induction
}
void fill(double *begin, int n) {
  for (double *p = begin; p < begin + n; p += 2) // CHECK: for it = 0 .. floor((n + 1) / 2) - 1
    *p = 1;                                      // CHECK: write begin[2*it]
}
// LOOPS-LABEL: walk (
double walk(int n, double *restrict a, const double *b) {
  double *p = a;
  for (int i = 0; i < n; i++) // LOOPS: i yes induction lastprivate(p (pointer))
    *p++ = b[i];
  return *p;
}
// A pointer that data moves on goes from one iteration to the next.
// LOOPS-LABEL: gather (
void gather(int n, const double *a, const double *c, double *restrict b) {
  const double *p = a;
  for (int i = 0; i < n; i++) { // LOOPS: i no p (pointer) -> p (pointer)
    if (c[i] > 0)
      p++;
    b[i] = *p;
  }
}
// LOOPS-LABEL: blocks (
void blocks(int n, const double *a, const double *c, double *restrict b) {
  const double *p = a;
  for (int i = 0; i < n; i++) { // LOOPS: i no p (pointer) -> p (pointer)
    for (int j = 0; j < 4; j++)
      b[4 * i + j] = *p++;
    if (c[i] > 0)
      p++;
  }
}
// LOOPS-LABEL: behind (
void behind(int n, const double *a, const double *c, double *restrict b) {
  const double *p = a;
  for (int i = 0; i < n; i++) { // LOOPS: i no p (pointer) -> p (pointer)
    b[i] = *p;
    p = c + i;
  }
}
// Set before it is used: one copy for each iteration.
// LOOPS-LABEL: rows (
void rows(int n, int m, double *a) {
  double *row;
  for (int i = 0; i < n; i++) { // LOOPS: i yes private(row (pointer))
    row = a + i * m;
    for (int j = 0; j < m; j++)
      row[j] = j;
  }
}
