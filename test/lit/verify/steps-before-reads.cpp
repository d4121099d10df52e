// RUN: %busfare verify %s | %FileCheck %s
// CHECK: verify: passed
// `d[--n]` in a method that is followed in place: n goes on from iteration to iteration.
#include <cstdio>
struct Stack {
  double d[100];
  int n = 0;
  double pop() { return d[--n]; }
};
static Stack stack;
static double out[100];
static int left;
static double next() { return stack.d[--left]; }
int main() {
  for (int i = 0; i < 100; i++) stack.d[i] = i * i;
  stack.n = left = 100;
  for (int i = 0; i < 50; i++) out[i] = stack.pop();
  for (int i = 0; i < 50; i++) out[i + 50] = next();
  double sum = stack.n + left;
  for (int i = 0; i < 100; i++) sum += out[i] * (i + 1);
  std::printf("%.17g\n", sum);
}
