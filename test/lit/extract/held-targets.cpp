// A std::function in a field, a global or a variable that is put into it where all can see: calls of it are calls of what was put in.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare extract %s -- -DCAPTURES | %FileCheck --check-prefix=OPEN %s
// RUN: %busfare extract %s -- -DELSEWHERE | %FileCheck --check-prefix=OPEN %s
// RUN: %busfare extract %s -- -DBY_REFERENCE | %FileCheck --check-prefix=OPEN %s
// RUN: %busfare extract %s -- -DUNKNOWN | %FileCheck --check-prefix=OPEN %s
// RUN: %busfare analyze %s | %FileCheck --check-prefix=PLAN %s
#include <cstdio>
#include <functional>
struct Solver {
  int n;
  std::function<double(double *, int)> apply;
};
static double scale(double *a, int n) {
  for (int i = 0; i < n; i++) a[i] *= 0.5;
  return a[0];
}
struct Shift {
  void operator()(double *a, int n) const {
    for (int i = 0; i < n; i++) a[i] += 1;
  }
};
std::function<void(double *, int)> shift = Shift();
#ifdef ELSEWHERE
double elsewhere(std::function<double(double *, int)> *);
#endif
// CHECK-LABEL: function main(
int main(int argc, char **argv) {
  double *x = new double[1000000];
  int k = argc;
  Solver s{1000000, scale};
  if (argc > 1)
    s.apply = [](double *a, int n) -> double {
      for (int i = 0; i < n; i++) a[i] = a[i] * a[i];
      return a[1];
    };
#ifdef CAPTURES
  if (argc > 2) s.apply = [k](double *a, int n) -> double { return a[k] = n; };
#elif defined ELSEWHERE
  elsewhere(&s.apply);
#elif defined BY_REFERENCE
  std::function<double(double *, int)> &other = s.apply;
  other = [k](double *a, int n) -> double { return a[k] = n; };
#elif defined UNKNOWN
  double (*any)(double *, int) = (double (*)(double *, int))argv[0];
  s.apply = any;
#endif
  for (int i = 0; i < s.n; i++) x[i] = i;
  double sum = 0;
  // CHECK: for t =
  // CHECK: host unsupported "a call of a std::function"
  // CHECK-NEXT: if ? at
  // CHECK-NEXT: call scale(&x, 1000000)
  // CHECK-NEXT: } else {
  // CHECK: write x[i.2]
  // CHECK: host unsupported "a call of a std::function"
  // CHECK-NEXT: call `Shift::operator()`({{.*}} at [[#@LINE+10]]:5
  // CHECK: "this call is of one of scale, a lambda; the call itself stays on the host"
  // CHECK: "this call is always one of Shift::operator(), the only function that it can be of; the call itself stays on the host"
  // OPEN-LABEL: function main(
  // OPEN: for t =
  // OPEN: host opaque
  // OPEN-NOT: call scale(
  // PLAN: The 4 kernels
  for (int t = 0; t < 50; t++) {
    sum += s.apply(x, s.n);
    shift(x, s.n);
  }
  printf("%g %g\n", sum, x[7]);
  delete[] x;
}
