// A virtual function of which the program has one body: calls of it are calls of that. Destructors and classes that somebody else may
// derive from are left alone.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare analyze %s | %FileCheck --check-prefix=REPORT %s
// RUN: %busfare extract %s -- -DTWO | %FileCheck --check-prefix=TWO %s
// RUN: %busfare extract %s -- -DLIBRARY | %FileCheck --check-prefix=OPEN %s
// CHECK: host unsupported "a virtual call"
// CHECK-NEXT: call Serial::triad(
// TWO: call Empty::triad(
// TWO-NEXT: } else {
// TWO-NEXT: call Serial::triad(
// OPEN-NOT: call Serial::triad(
// OPEN: host opaque "triad"
// REPORT: What to do
// REPORT-NEXT: {{PORT|KEEP|MEASURE}} only-override.cpp:{{[0-9]+}}, in Serial::triad
// REPORT: The 2 kernels
#include <stdio.h>
struct Stream {
  virtual void triad() = 0;
  virtual ~Stream() {}
};
struct Serial : Stream {
  long n;
  double *a, *b, *c;
  Serial(long n) : n(n), a(new double[n]), b(new double[n]), c(new double[n]) {
    for (long i = 0; i < n; i++)
      a[i] = 1, b[i] = 2, c[i] = i;
  }
  void triad() override {
    for (long i = 0; i < n; i++)
      a[i] = b[i] + 0.4 * c[i];
  }
};
#ifdef TWO
struct Empty : Stream {
  void triad() override {}
};
#endif
#ifdef LIBRARY
Stream *made();
int run() {
  Stream *s = made();
#else
int main() {
#ifdef TWO
  Stream *s = __builtin_readcyclecounter() % 2 ? (Stream *)new Empty() : new Serial(33554432);
#else
  Stream *s = new Serial(33554432);
#endif
#endif
  for (int k = 0; k < 100; k++)
    s->triad();
  printf("%f\n", ((Serial *)s)->a[0]);
  return 0;
}
