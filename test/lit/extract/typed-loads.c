// A load of an int through a pointer of which nothing is known reaches no doubles, unless types mix in the unit.
// RUN: %busfare extract typed-loads.c | %FileCheck typed-loads.c
// RUN: %busfare analyze typed-loads.c --param n=1000 --param times=50 | %FileCheck typed-loads.c --check-prefix=TYPED
// RUN: %busfare analyze typed-loads.c --param n=1000 --param times=50 -- -fno-strict-aliasing | %FileCheck typed-loads.c --check-prefix=MIXED
// RUN: %busfare analyze typed-loads.c --param n=1000 --param times=50 -- -DPUN | %FileCheck typed-loads.c --check-prefix=MIXED
// RUN: %busfare extract typed-loads.c -- -DPUN | %FileCheck typed-loads.c --check-prefix=PUN
// PUN: types mix
// CHECK-NOT: types mix
#include <stdlib.h>
#include <string.h>
struct node { int *items; struct node *next; };
#ifdef PUN
static int bits(float x) { return *(int *)&x; }
#else
static int bits(float x) { return (int)x; }
#endif
// TYPED: {{^  a +d2h +1x}}
// MIXED: {{^  a +d2h +50x}}
// CHECK-LABEL: function steps(
int steps(double *restrict a, int n, int times, int **rows) {
  int found = 0;
  for (int t = 0; t < times; t++) {
    for (int i = 0; i < n; i++) a[i] = a[i] * 0.5 + 1;
    rows[t] = rows[t + 1]; // no table of rows any more
    // CHECK: read `rows[t]`[?] at
    found += rows[t][0] + bits(2.5f);
  }
  return found;
}
// What is copied byte by byte, or read as something else, may be anything.
// CHECK-LABEL: function others(
int others(struct node *list, int times) {
  int all = 0;
  for (int t = 0; t < times; t++) {
    int half = 0;
    int copy = 0;
    list = list->next;
    // CHECK: read `{{[^`]*}}`[?] bytewise at
    half = *(char *)list->items;
    // CHECK: read `{{[^`]*}}`[?] bytewise at
    memcpy(&copy, list->items, sizeof copy);
    all += half + copy;
  }
  return all;
}
