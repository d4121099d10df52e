// What a parameter or the end of a struct is declared with bounds nothing: callers give more.
// RUN: %busfare sections %s | %FileCheck %s
void gather(const double a[4], const int ix[static 1], double *o, int n) {
  for (int i = 0; i < n; i++)
    o[i] = a[ix[i]];
}
// CHECK: gather
// CHECK: a {{.*}} (whole)

struct Vector {
  int n;
  double d[1];
};
void add(struct Vector *s, const int *ix, int n) {
  for (int i = 0; i < n; i++)
    s->d[ix[i]] += 2;
}
// CHECK: add
// CHECK: s->d {{.*}} (whole)

// A variable ends where it is declared to.
static struct Vector one;
void own(const int *ix, int n) {
  for (int i = 0; i < n; i++)
    one.d[ix[i]] += 2;
}
// CHECK: own
// CHECK: one.d {{.*}} [0:0
