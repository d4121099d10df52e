// What one call gives by value and another takes by reference is a temporary with a name, as are its fields; so is a number. A class of
// complex numbers with functions of several statements then has nothing unknown in it, and its loops are kernels.
// RUN: %busfare loops %s | %FileCheck --check-prefix=LOOPS %s
// RUN: %busfare verify --mutants --kernels all %s -- -O2 | %FileCheck %s
// LOOPS: products (
// LOOPS: i {{ *}}yes
// LOOPS-NOT: if noalias
// LOOPS: kept (
// Through the reference that is kept each iteration reads what the one before left.
// LOOPS: i {{ *}}no
// CHECK: verify: passed
// CHECK: result main d2h
#include <cstdio>
#define N 500
template <class T> class Number {
public:
  T x, y;
  explicit Number() { x = 0, y = 0; }
  explicit Number(const T &a, const T &b) {
    x = a;
    y = b;
  }
  Number conj() const {
    T re = x, im = -1 * y;
    Number<T> made(re, im);
    return made;
  }
};
static double weight(double w) {
  double half = 0;
  for (int k = 0; k < 2; k++)
    half += w / 4;
  return half;
}
template <class T> Number<T> operator*(const Number<T> &a, const Number<T> &b) {
  T re = a.x * b.x - a.y * b.y, im = a.x * b.y + a.y * b.x;
  for (int k = 0; k < 2; k++)
    re += 0.5 * im * k;
  Number<T> made(re, im);
  return made;
}
template <class T> Number<T> operator*(const Number<T> &a, const T &b) {
  T re = a.x * b, im = a.y;
  for (int k = 0; k < 3; k++)
    im += b;
  Number<T> made(re, im);
  return made;
}

static Number<double> u[N], v[N];
static double result[N];

static void products() {
  for (int i = 0; i < N; i++) {
    Number<double> one = u[i] * v[i].conj() * weight(0.5 * i) * u[i];
    result[i] = one.x + one.y;
  }
}

static const double *before;
static void keep(const double &number) {
  static double left;
  left += *(before ? before : &number);
  before = &left;
}
static double kept() {
  for (int i = 0; i < 5; i++)
    keep(0.5 * i);
  return *before;
}

int main() {
  for (int i = 0; i < N; i++) {
    u[i].x = i, u[i].y = 1;
    v[i].x = 0.5, v[i].y = 0.125 * i;
  }
  for (int t = 0; t < 3; t++)
    products();
  double s = kept();
  for (int i = 0; i < N; i++)
    s += result[i] * (i % 7);
  std::printf("%.10g\n", s);
  return 0;
}
