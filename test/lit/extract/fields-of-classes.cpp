// Which field, of which class, which object: hidden ones, those that a member pointer chooses, parts of objects, whole objects.
// RUN: %busfare extract %s | %FileCheck %s
struct Base { int n; double *p; double sum; };
struct Derived : Base { int n; double *p; double extra; };
struct Cell { double rho, e; int first, last; };
double out[100], line[101];
Derived all[100];
Cell cells[100];

// CHECK-LABEL: function hidden(
void hidden() {
  Derived d;
  d.Base::n = 10, d.n = 100;
  d.Base::p = line + 1, d.p = line;
  // CHECK: for i = 0 .. 9
  for (int i = 0; i < d.Base::n; i++) out[i] = 0;
  // CHECK: for i.2 = 0 .. 99
  // CHECK: read line[i.2]
  // CHECK: write line[i.2 + 1]
  for (int i = 0; i < d.n; i++) d.Base::p[i] = d.p[i];
}

// CHECK-LABEL: function whole(
void whole() {
  Derived d;
  d.sum = 0, d.extra = 1;
  // CHECK: for i = 0 .. 99
  // CHECK: update d.sum +
  // CHECK: read d.sum
  // CHECK: read d.extra
  // CHECK: write all[i]
  for (int i = 0; i < 100; i++) d.sum += line[i], all[i] = d;
}

// CHECK-LABEL: function sliced(
void sliced() {
  Derived d;
  Base b;
  b.n = 7, b.sum = 1, d.n = 50, d.Base::n = 3;
  static_cast<Base &>(d) = b;
  // CHECK: for i = 0 .. 49
  for (int i = 0; i < d.n; i++) out[i] = 0;
  // CHECK: for i.2 = 0 .. 6
  for (int i = 0; i < d.Base::n; i++) out[i] = 0;
  // CHECK: may write all[i.3]
  for (int i = 0; i < 100; i++) static_cast<Base &>(all[i]) = b;
}

// CHECK-LABEL: function chosen(
void chosen(double Cell::*f, int Cell::*g) {
  Cell c;
  c.first = 1, c.last = 10;
  // CHECK: may write `c.*g`
  // CHECK: define c.last{{.*}} because "c.last"
  c.*g = 50;
  // CHECK: may write cells[i]
  for (int i = 1; i < 100; i++) cells[i].*f = cells[i - 1].rho;
  // CHECK: for i.2 = 0 .. c.last
  for (int i = 0; i < c.last; i++) out[i] = 0;
}
