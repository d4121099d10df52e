// RUN: %busfare extract --quiet %s | %FileCheck %s
//
// A std::function that is made from a lambda in sight, and only called, is walked where it is called; any other call of one is opaque.
#include <functional>
static void timed(const std::function<void()> &run) { run(); }
static void kept(const std::function<void()> &run) {
  static std::function<void()> last;
  last = run;
  run();
}
// CHECK-LABEL: function called(
// CHECK-NOT: opaque
// CHECK: for i = 0 .. n - 1
// CHECK: write a[i]
// CHECK-NOT: opaque
// CHECK: for i.2 = 0 .. n
// CHECK: update a[i.2] *
// CHECK-NOT: opaque
// CHECK: write a[n + 1]
void called(int n, double *a) {
  int last = n;
  timed([&] {
    for (int i = 0; i < n; i++) a[i] = 1;
    last++;
  });
  const std::function<void(double)> scale = [&](double by) {
    for (int i = 0; i < last; i++) a[i] *= by;
  };
  scale(2.5);
  a[last] = 0;
}
// CHECK-LABEL: function stored(
// CHECK: opaque
void stored(int n, double *a) {
  kept([=] { a[n] = 1; });
}
// CHECK-LABEL: function reassigned(
// CHECK: opaque
void reassigned(int n, double *a) {
  std::function<void()> f = [&] { a[0] = 1; };
  if (n > 3) f = [&] { a[1] = 1; };
  f();
}
// CHECK-LABEL: function converted(
// CHECK: opaque
double converted(double *a) {
  std::function<double(int)> f = [&](double x) { return a[0] * x; };
  return f(3);
}
