// A program's own specialisation of a class of the library's is the program's code: what it exchanges when it is called back, no
// unseen call is taken to leave alone.
// RUN: %busfare extract %s | %FileCheck %s
#include <functional>
struct grid { double *u, *v; int n; };
template <class T> struct box { T *at; };
template <class T> struct std::hash<box<T>> {
  unsigned long operator()(const box<T> &b) const {
    double *t = b.at->u;
    b.at->u = b.at->v;
    b.at->v = t;
    return 0;
  }
};
void later(unsigned long (std::hash<box<grid>>::*)(const box<grid> &) const);
void tick();
// CHECK: function run
// CHECK: write [[FIRST:`g->u[.0-9]*`]][i]
// CHECK: host opaque "tick"
// CHECK-NOT: write [[FIRST]][i
// CHECK: write `g->u{{.*}}[i
// CHECK-NOT: steady
void run(grid *g) {
  later(&std::hash<box<grid>>::operator());
  for (int i = 0; i < g->n; i++) g->u[i] = 1;
  tick();
  for (int i = 0; i < g->n; i++) g->u[i] = 2;
}
