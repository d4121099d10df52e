// RUN: %busfare extract %s -- | FileCheck %s
// Pointers that walk get a closed form.
void copy(int n, double *p, const double *q) {
  while (n > 0) {  // CHECK: for n.2 = n .. 1 step -1 while
    *p++ = *q++;   // CHECK-NEXT: read q[n - n.2]
    n--;           // CHECK-NEXT: write p[n - n.2]
  }
}
void fill(double *begin, int n) {
  for (double *p = begin; p < begin + n; p += 2) // CHECK: for it = 0 .. floor((n + 1) / 2) - 1
    *p = 1;                                      // CHECK-NEXT: write begin[2*it]
}
