// Structs handed on by value, returned and copied.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 4 caught, 0 excused, 0 survived
#include <stdio.h>
#include <stdlib.h>

enum { N = 30 };
struct pair {
  double first, second;
};

static struct pair turned(struct pair p) { return (struct pair){p.second, -p.first}; }

int main(void) {
  static struct pair a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = (struct pair){rand() % 100, rand() % 10};
  for (int i = 0; i < N; i++) {
    struct pair p = turned(a[i]);
    p.first += i;
    b[i] = p;
  }
  for (int i = 0; i < N; i++)
    printf("%g %g\n", b[i].first, b[i].second);
  return 0;
}
