// RUN: %busfare extract --quiet written-on-the-way.cpp | %FileCheck %s
//
// What a loop reads in each iteration is read before it only if nothing in the loop may write it: neither what constructors
// initialise their fields with, nor functions that override others, destructors of fields, or calls that cast their arguments.
#include <cstring>
static int increment(int *s) { return ++s[0]; }
struct Member {
  int z;
  Member(int *s) : z(increment(s)) {}
};
// CHECK-LABEL: function initialised(
// CHECK: for k
// CHECK: define `s[0]`
void initialised(int *s, double *a, int n) {
  for (int k = 0; k < n; k++) {
    Member v(s);
    for (int j = 0; j < s[0]; j++)
      a[j] += 1;
  }
}
struct Base {
  virtual void go(int *t) {}
};
struct Derived : Base {
  void go(int *t) override { t[0]++; }
};
// CHECK-LABEL: function overridden(
// CHECK: for k
// CHECK: define `s[0]`
void overridden(Base &b, int *s, double *a, int n) {
  for (int k = 0; k < n; k++) {
    b.go(s);
    for (int j = 0; j < s[0]; j++)
      a[j] += 1;
  }
}
struct Ender {
  int *s;
  ~Ender() { s[0]++; }
};
struct Holder {
  Ender own;
};
// CHECK-LABEL: function ended(
// CHECK: for k
// CHECK: define `s[0]`
void ended(int *s, double *a, int n) {
  for (int k = 0; k < n; k++) {
    Holder one{{s}};
    for (int j = 0; j < s[0]; j++)
      a[j] += 1;
  }
}
// CHECK-LABEL: function cast(
// CHECK: for k
// CHECK: define `s[0]`
void cast(int *s, double *a, int n) {
  for (int k = 0; k < n; k++) {
    memset((double *)s, k, 8);
    for (int j = 0; j < s[0]; j++)
      a[j] += 1;
  }
}
static int sizes[4];
static void cleanSizes(int *p) { sizes[1]++; }
// CHECK-LABEL: function cleaned(
// CHECK: for k
// CHECK: define `sizes[1]`
void cleaned(double *a, int n) {
  for (int k = 0; k < n; k++) {
    int x __attribute__((cleanup(cleanSizes))) = 0;
    for (int j = 0; j < sizes[1]; j++)
      a[j] += x;
  }
}
// CHECK-LABEL: function plain(array s, array a, param n, param `s[0]`)
// CHECK: for k
void plain(int *s, double *a, int n) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < s[0]; j++)
      a[j] += 1;
}
// So for pointers behind a recursive call.
static int set(double **t) {
  t[0] = t[1];
  return 1;
}
struct Setter {
  int z;
  Setter(double **t) : z(set(t)) {}
};
// CHECK-LABEL: function again(
// CHECK: host recursion
// CHECK-NOT: write `t[]`[0]
// CHECK: write `t[0]`[
void again(double **t, int n, int m) {
  t[0][0] = t[1][0];
  if (n == 0) {
    Setter v(t);
    return;
  }
  again(t, n - 1, m);
  for (int i = 0; i < m; i++)
    t[0][i] = t[1][i + 1];
}
