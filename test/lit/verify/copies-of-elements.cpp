// A struct by value is what it was copied from only as long as the function writes nothing: here it overwrites the element that its
// copy was made of, before it reads the copy. What the device computed has to be back by then.
// RUN: %busfare verify --mutants --kernels all %s -- -O2 | %FileCheck %s
// CHECK: verify: passed
// CHECK: elements main d2h
#include <cstdio>
#define N 300
struct Pair {
  double a, b;
};
static Pair elements[N], others[N];

static double first(const Pair one) { return (elements[3].a = 5.0) + one.a; }
static double second(Pair one) { return (elements[7].b = 6.0) + one.b; }
static double walked(const Pair one) {
  for (int i = 0; i < 2; i++)
    others[i].a = 1;
  return one.b;
}
static double given(double x) { return others[9].a = x; }
static double third(const Pair one) { return given(2.0) + one.a; }

int main() {
  for (int i = 0; i < N; i++) {
    elements[i].a = 0.5 * i;
    elements[i].b = 1.0 / (i + 1);
    others[i].a = i;
    others[i].b = 2 * i;
  }
  double x = first(elements[3]), y = second(elements[7]), z = walked(others[1]), w = third(others[9]);
  std::printf("%.9g %.9g %.9g %.9g\n", x, y, z, w);
  return 0;
}
