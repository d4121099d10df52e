// What a class or a namespace keeps for itself is not named outside, and what the port declares stands outside of classes.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress -- -std=c++17 | %FileCheck %s
// RUN: %busfare port --kernels all %s -- -std=c++17 2>/dev/null | %FileCheck %s --check-prefix=PORT
// CHECK: verify: passed
// CHECK: watched
// PORT: target teams
#include <cstdio>
#include <cstdlib>

static void axpy(double *y, const double *x, int n, double a = 1.5) {
  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
}

class Solver {
protected:
  double *u;
  int n;

public:
  explicit Solver(int n) : u(new double[n]), n(n) {}
  ~Solver() { delete[] u; }
  void init() {
    for (int i = 0; i < n; i++)
      u[i] = i % 7;
  }
  void step() {
    for (int i = 0; i < n; i++)
      u[i] = u[i] * 0.5 + 1;
  }
  double sum() const {
    double s = 0;
    for (int i = 0; i < n; i++)
      s += u[i];
    return s;
  }
};
class Damped : public Solver {
public:
  explicit Damped(int n) : Solver(n) {}
};

class Counted {
  static int count;

public:
  static void run(double *x, double *y, int n) {
    if (n < 3)
      return;
    for (int i = 0; i < n; i++) {
      x[i] = i;
      y[i] = 1;
    }
    axpy(y, x, n);
    axpy(y + 1, x, n - 1, 2.0);
    count++;
  }
  static int runs() { return count; }
};
int Counted::count = 0;

namespace la {
namespace inner {
struct Vector {
  double *d;
  int n;
};
static void fill(Vector v, double a) {
  for (int i = 0; i < v.n; i++)
    v.d[i] = a * i;
}
double solve(int n) {
  Vector x{new double[n], n};
  if (n > 5)
    fill(x, 2);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x.d[i];
  delete[] x.d;
  return s;
}
} // namespace inner
} // namespace la

int main(int argc, char **argv) {
  (void)argv;
  Damped damped(100);
  damped.init();
  for (int t = 0; t < 3; t++)
    damped.step();
  int n = 200 * argc;
  double *x = (double *)std::malloc(n * sizeof *x), *y = (double *)std::malloc(n * sizeof *y);
  Counted::run(x, y, n);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += y[i];
  std::printf("%g %g %g %d\n", damped.sum(), s, la::inner::solve(n), Counted::runs());
  std::free(x);
  std::free(y);
}
