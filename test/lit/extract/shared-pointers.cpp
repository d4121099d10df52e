// RUN: %busfare extract %s -- -std=c++20 | FileCheck %s
// Pointers that a called function sets to where another of the caller's pointers leads: behind the call they lead there.
#include <vector>
double weight[100];

struct Matrix { std::vector<int> columns; std::vector<double> values, scale; };
struct Filler {
  int *column; double *value; const double *first; int n;
  Filler(Matrix &m, int size) : column(&m.columns[0]), value(&m.values[0]), first(&m.scale[0]), n(size) {
    // What leads into a container that gets another length may be used only if that keeps its memory.
    m.columns.resize(size);
    m.values.resize(size);
  }
  void fill(int i) { column[i] = i; value[i] = first[i]; }
};
// CHECK-LABEL: function fills(
// CHECK: alloc m.columns.3[
// CHECK: for i = 0 ..
// CHECK-NEXT: call Filler::fill({{.*}}&m.columns.3, &m.values.3, &m.scale)
void fills(Matrix &m, int size) {
  Filler filler(m, size);
  for (int i = 0; i < filler.n; i++) filler.fill(i);
}

struct Fields { double *u, *v, *w; int n; };
static void point(Fields *f) { f->w = f->v; }
// CHECK-LABEL: function follows(
// CHECK: call point(
// CHECK: write `f->v`[0]
double *follows(Fields *f) {
  point(f);
  f->w[0] = 1;
  return f->w;
}

// Not where it leads some elements on, or on one path only; then it may be anything.
static void pointInside(Fields *f) { f->w = f->v + 5; }
static void pointSometimes(Fields *f) { if (f->n > 5) f->w = f->v; }
// CHECK-LABEL: function followsNot(
// CHECK: call pointInside(
// CHECK: write `f->w.2`[0]
// CHECK: call pointSometimes(
// CHECK: write `f->w.3`[1]
void followsNot(Fields *f) {
  pointInside(f);
  f->w[0] = 1;
  pointSometimes(f);
  f->w[1] = 1;
}

// Both are set anew: what they share is no memory of the caller's.
static void renew(Fields *f) { f->w = f->v = new double[100]; }
// CHECK-LABEL: function afterNew(
// CHECK: call renew(
// CHECK-NOT: write `f->v`[0]
// CHECK: }
void afterNew(Fields *f) {
  renew(f);
  f->w[0] = 1;
}

// The other one is set again by its other name.
static void twoNames(Fields *f, Fields *g) { f->w = f->v; g->v = weight; }
// CHECK-LABEL: function afterTwoNames(
// CHECK: call twoNames(
// CHECK-NOT: write `f->v`[0]
// CHECK: }
void afterTwoNames(Fields *f) {
  twoNames(f, f);
  f->w[0] = 1;
}

// A pointer into a vector that gets another length, in one function: it leads where the vector does.
// CHECK-LABEL: function within(
// CHECK: alloc v.2[
// CHECK: write v.2[0]
// CHECK-NEXT: write v.2[0]
// CHECK-NEXT: read v.2[0]
double within(int n) {
  std::vector<double> v(n);
  double *p = &v[0], &first = v[0];
  v.resize(n / 2);
  p[0] = 1;
  first = 2;
  return v[0];
}
