// Where a pointer leads that nobody follows is asked for in the words of the source, and what is advised helps: the hint
// independent does not say where it leads, a function that is given the pointer does.
// RUN: %busfare analyze --format json %s | %FileCheck %s
// RUN: %busfare analyze --format json %s -- -DHINT | %FileCheck --check-prefix=HINT %s
// RUN: %busfare analyze --format json %s -- -DGIVEN | %FileCheck --check-prefix=GIVEN %s
// RUN: %busfare analyze --function doubled %s -- -DGIVEN | %FileCheck --check-prefix=ALONE %s
#include <stdlib.h>
// CHECK: "unpriced": [
// CHECK: "reason": "it is not known which memory p[i] denotes",
// CHECK-NEXT: "give": "a function of its own for the loop, with the pointer as its parameter",
// HINT: "unpriced": [
// HINT: "reason": "an access through p[i], a pointer whose object is not known",
// HINT-NEXT: "give": "a function of its own for the loop, with the pointer as its parameter",
// GIVEN: "unpriced": [
// GIVEN: "function": "doubled"
// GIVEN: "reason": "it is not known where the pointer p of doubled leads",
// GIVEN-NEXT: "give": "--function doubled",
// ALONE: What to do
// ALONE-NEXT: {{PORT|KEEP|MEASURE}} unknown-pointers.c:[[#]], in doubled
static double *one_of(double *a, double *b, int k) {
  double *r = a;
  for (int i = 0; i < k; i++) r = r == a ? b : a;
  return r;
}
#ifdef GIVEN
static void doubled(double *p, int n) {
  for (int i = 0; i < n; i++) p[i] = p[i] * 2 + i;
}
#endif
int main(int argc, char **argv) {
  int n = 10000000;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  double *p = one_of(a, b, argc);
  for (int t = 0; t < 1000; t++) {
    p = one_of(a, b, t);
#ifdef GIVEN
    doubled(p, n);
#else
#ifdef HINT
    // busfare: independent
#endif
    for (int i = 0; i < n; i++) p[i] = p[i] * 2 + i;
#endif
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] + b[i];
  return s > 3;
}
