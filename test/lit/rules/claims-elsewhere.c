// A loop that main does not come to is judged with its own function, and claims nothing anew where others call that.
// RUN: %busfare analyze --no-progress %s > %t.txt
// RUN: FileCheck %s --implicit-check-not="claims independent" < %t.txt
// CHECK: Findings
#include <stdio.h>
double sum(int n, const double *a) {
  double t = 0;
#pragma omp parallel for reduction(+ : t)
  for (int i = 0; i < n; i++)
    t += a[i];
  return t;
}
void norm(int n, double *a) {
  double t = sum(n, a);
  for (int i = 0; i < n; i++)
    a[i] /= t;
}
int main(void) {
  for (int i = 0; i < 9; i++)
    puts("nothing");
}
