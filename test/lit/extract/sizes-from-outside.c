// RUN: %busfare extract %s -- | FileCheck %s
// A value that no expression can say gets a symbol, named as its variable.
#include <stdlib.h>
void run(int argc, char **argv, double *a) {
  int n = argc > 1 ? atoi(argv[1]) : 512; // CHECK: define n usually 512 because
  for (int i = 0; i < n; i++)             // CHECK: for i = 0 .. n - 1
    a[i] = 0;
}
