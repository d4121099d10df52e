// RUN: %busfare extract %s -- | %FileCheck %s
// Statics whose address stays in the unit survive calls that are not seen, unless those may call back.
#include <stdlib.h>
void timer(int);
void keep(double *);
static double (*u)[100];
static double (*shared)[100];
static int nx, called, pointed;
int visible;
static int size[3];
static double work[1000], given[1000];
static struct { int n; double *p; } grid;

static void init(int n) {
  u = malloc(n * sizeof *u);
  shared = malloc(n * sizeof *shared);
  grid.n = nx = n;
}
// Unseen code may run this one.
void entry(void) {
  called++;
  shared[0][0] = 0;
}

// A field of a struct that a function sets, and a pointer that it sends elsewhere.
static double here[1000], *there = here;
static void send(void) {
  there = work;
  grid.n = 9;
}
// CHECK-LABEL: function sent(
static void sent(void) {
  send();
  for (int i = 0; i < grid.n; i++) there[i] = 0; // CHECK: for i = 0 .. 8 at
                                                 // CHECK: write there.{{[0-9]}}[i]
}
// CHECK-LABEL: function main(
int main(void) {
  init(50);
  keep(given);
  int *p = &pointed;
  called = pointed = visible = 7;
  timer(1); // CHECK: host opaque "timer"
            // CHECK-NOT: {{(read|write) (u|work|size|nx|grid.n)( |\[)}}
            // CHECK: may write given[?]
            // CHECK: define called because
            // CHECK-NEXT: define visible because
  *p = 8;
  for (int i = 0; i < nx; i++) u[i][0] = work[i]; // CHECK: for i = 0 .. 49 at
                                                  // CHECK: write u[i][0]
  for (int i = 0; i < grid.n; i++) work[i] = 0;    // CHECK: .. 49 at
  // What it may have changed.
  for (int i = 0; i < called; i++) work[i] = 1;  // CHECK: .. called - 1 at
  for (int i = 0; i < visible; i++) work[i] = 1; // CHECK: .. visible - 1 at
  timer(2); // CHECK: host opaque "timer"
            // CHECK-DAG: may write shared[?][?]
            // CHECK-DAG: may write called
  for (int i = 0; i < visible; i++) work[i] = 1; // CHECK: .. visible.2 - 1 at
  sent();
  for (int i = 0; i < 7; i++) u[i][1] = shared[i][0];
  return 0;
}
