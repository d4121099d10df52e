// RUN: %busfare extract %s | %FileCheck %s
//
// A reference to a pointer that a struct holds, kept by another object: what it points to may be set from there.
struct Grid { double *u, *v; };
struct Ref {
  double *&r;
  Ref(double *&x) : r(x) {}
  void set(double *p) { r = p; }
};
// CHECK-LABEL: function turned(
// CHECK: write g.v[i]
void turned(Grid &g, int n) {
  Ref r(g.u);
  r.set(g.v);
  for (int i = 0; i < n; i++)
    g.u[i] = 1;
}
