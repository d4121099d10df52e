// Functions of the program's own that no source defines: how many calls, and of which, stands before what is not priced.
// What an installed library defines is none of them.
// RUN: %busfare analyze %s | %FileCheck %s
// RUN: %busfare analyze --format json %s | %FileCheck --check-prefix=JSON %s
#include <stdlib.h>
// CHECK: NOT ALL IS HERE: 3 calls of 2 functions are left out, as no source that was read
// CHECK-NEXT: defines them: assemble (2), solve.
// CHECK: What to do
// JSON: "missing_functions": [
// JSON: "name": "assemble",
// JSON-NEXT: "calls": 2
// JSON: "name": "solve",
// JSON-NEXT: "calls": 1
// JSON-NOT: "calls"
// JSON: "files"
void assemble(double *a, int n);
double solve(double *a, int n);
static int compared(const void *a, const void *b) { return *(const double *)a < *(const double *)b; }
static double a[1 << 20];
int main(void) {
  for (int i = 0; i < 1 << 20; i++) a[i] = i;
  assemble(a, 1 << 20);
  qsort(a, 1 << 20, sizeof *a, compared);
  assemble(a, 1 << 10);
  for (int i = 0; i < 1 << 20; i++) a[i] = a[i] * 2 + 1;
  return solve(a, 1 << 20) > 3;
}
