// RUN: %busfare loops %s -- | FileCheck %s
// One call leaves the last value to be read, the other does not: a last value will do for both.
static double t;
static void fill(double *a, int n) {
  for (int i = 0; i < n; i++) { // CHECK: i {{ *}}yes {{ *}}lastprivate(t), if noalias(a,t)
    t = i * 2.0;
    a[i] = t;
  }
}
double twice(double *a, int n) {
  fill(a, n);
  t = 1;
  fill(a + n, n);
  return t;
}
