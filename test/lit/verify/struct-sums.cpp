// Sums of structs in C++, in a template and through a reference to an operator's result; a struct that says how it is made stays on the host.
// RUN: %busfare verify --mutants --kernels all %s -- -O2 | %FileCheck %s
// RUN: %busfare port --kernels all %s 2>&1 | %FileCheck --check-prefix=PORT %s
// CHECK: verify: passed
// PORT: {{^}}#pragma omp declare reduction(busfare_add_sum : __typeof__(sum) : omp_out.re += omp_in.re, omp_out.im += omp_in.im) initializer(omp_priv = {})
// PORT: {{^}}#pragma omp declare reduction(busfare_add_all : __typeof__(all) : omp_out.re += omp_in.re, omp_out.im += omp_in.im) initializer(omp_priv = {})
// PORT: {{^}}#pragma omp declare reduction(busfare_add_line : __typeof__(line) : omp_out.re += omp_in.re, omp_out.im += omp_in.im) initializer(omp_priv = {})
// PORT: {{^}}#pragma omp declare reduction(busfare_add_sum : __typeof__(sum) : omp_out += omp_in) initializer(omp_priv = {})
// PORT-NOT: {{^}}#pragma omp declare reduction
// RUN: %busfare port --kernels all %s -o %t.cpp 2>&1 | %FileCheck --check-prefix=STAYS %s
// STAYS: struct-sums.cpp:{{[0-9]+}}:3: warning: this loop stays on the host: it writes the field own.re [BF040]
#include <complex>
#include <cstdio>

constexpr int N = 3000;
struct Number {
  double re, im;
  Number &operator+=(const Number &other) {
    re += other.re;
    im += other.im;
    return *this;
  }
};
static Number operator+(const Number &a, const Number &b) { return {a.re + b.re, a.im + b.im}; }
struct Own {
  double re, im;
  Own(double r, double i) : re(r), im(i) {}
};

static Number u[N];

static Number by_operator(int from) {
  Number sum = {1, 2};
  for (int i = from; i < N; i++)
    sum = sum + u[i];
  return sum;
}

static Number by_member() {
  Number all = {3, 4};
  for (int i = 0; i < N; i++)
    all += u[i];
  return all;
}

// By value, and all on one line.
static Number added(Number a, Number b) { return {a.re + b.re, a.im + b.im}; }
static Number on_one_line() { Number line = {7, 8}; for (int i = 0; i < N; i++) line = added(line, u[i]); return line; }

static double of_own() {
  Own own(5, 6);
  for (int i = 0; i < N; i++)
    own.re += u[i].re;
  return own.re + own.im;
}

static std::complex<double> v[N];

static std::complex<double> of_library() {
  std::complex<double> sum = 1;
  for (int i = 0; i < N; i++)
    sum += v[i];
  return sum;
}

int main() {
  for (int i = 0; i < N; i++)
    u[i] = {0.5 * i, 1.0 / (i + 1)};
  for (int i = 0; i < N; i++)
    v[i] = {0.25 * i, 1};
  Number a = by_operator(0), b = by_operator(17), c = by_member(), e = on_one_line();
  std::printf("%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", a.re, a.im, b.re, b.im, c.re, c.im, of_own());
  std::printf("%.9g %.9g\n", e.re, e.im);
  std::complex<double> d = of_library();
  std::printf("%.9g %.9g\n", d.real(), d.imag());
  return 0;
}
