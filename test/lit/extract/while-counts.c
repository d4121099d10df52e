// RUN: %busfare extract %s -- | FileCheck %s
// `while` and `do` that count.
void down(int n, double *a) {
  while (n > 0) { // CHECK: for n.2 = n .. 1 step -2 while
    n -= 2;
    a[n] = 0; // CHECK-NEXT: write a[n.2 - 2]
  }
}
void at_least_once(int n, double *a) {
  int i = n;
  do {       // CHECK: for i = n .. max(9, n) do
    a[i]++;  // CHECK-NEXT: update a[i] +
    i++;
  } while (i < 10);
  a[i] = 5; // CHECK: write a[max(9, n) + 1]
}
void idiom(unsigned long n, double *a) {
  for (unsigned long i = n; i-- > 0;) // CHECK: for i = n - 1 .. 0 step -1
    a[i] = 1;                         // CHECK-NEXT: write a[i]
}
