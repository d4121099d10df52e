// RUN: %busfare extract %s -- | FileCheck %s
// A switch is a chain of branches.
void f(int mode, double *a) {
  switch (mode) {
  case 0: // CHECK: if mode >= 0 and -mode >= 0
    a[0] = 1;
    break;
  case 1: // CHECK: } else {
  case 2: // CHECK-NEXT: if mode - 1 >= 0 and 1 - mode >= 0 or mode - 2 >= 0 and 2 - mode >= 0
    a[1] = 1;
    break;
  default:
    a[2] = 1; // CHECK: write a[2]
  }
}
