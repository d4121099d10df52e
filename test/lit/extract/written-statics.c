// RUN: %busfare extract %s -- | %FileCheck %s
// A part of a static struct that another function sets: code that is not seen may call that function.
void unseen(double *);
static struct { int n, sizes[3]; } grid;
static const double *kept;
void resize(int n) { grid.sizes[1] = n; }
// CHECK-LABEL: function use(
void use(double *a) {
  unseen(a); // CHECK: host opaque "unseen"
             // CHECK: may write grid.sizes[?]
  for (int i = 0; i < grid.sizes[1]; i++) a[i] = 0; // CHECK: define
}
