// Fields of a class, of its bases, and those that a pointer to a member chooses: each is one variable, whoever names it.
// RUN: %busfare verify %s -- -O2 | %FileCheck %s
// CHECK: verify: passed
#include <cstdio>
struct Cell { double rho, e; int first, last; double flux[60], old[60]; };
static Cell cells[60], one;
static double left[60], right[61], other[60];
struct Base { double *at; int count; double sum; };
struct Derived : Base { double *at; int count; double extra; };
struct Mass { double m; int n; };
struct Speed { double v; int n; };
struct Body : Mass, Speed { double t; };
static Body bodies[60];
static double scan[60], got[60];
static void slice(Derived &to, const Base &from) { static_cast<Base &>(to) = from; }
int main() {
  for (int i = 0; i < 60; i++) cells[i].rho = i, cells[i].e = 3, one.flux[i] = i, one.old[i] = 1, left[i] = i, right[i] = 2, other[i] = 1;
  double Cell::*density = &Cell::rho;
  int Cell::*end = &Cell::last;
  double (Cell::*row)[60] = &Cell::old;
  one.first = 30, one.last = 5, one.*end = 60;
  for (int i = 1; i < 60; i++) cells[i].*density = cells[i - 1].rho + 1;
  for (int i = 0; i < one.last; i++) (one.*row)[i] = one.flux[i] * 2;
  for (int i = 1; i < 60; i++) (one.*row)[i] += one.old[i - 1];
  Cell *here = &one;
  here->*end = 40;
  for (int i = 0; i < here->last; i++) one.flux[i] += 1;

  Derived d;
  d.Base::at = right + 1, d.at = right, d.Base::count = 20, d.count = 59;
  for (int i = 0; i < d.count; i++) d.Base::at[i] = d.at[i] * 0.5 + 1;
  for (int i = 0; i < d.Base::count; i++) left[i] += 3;
  d.sum = 0, d.extra = 1;
  Derived all[60];
  for (int i = 0; i < 60; i++) {
    d.sum += other[i];
    all[i] = d;
  }
  for (int i = 0; i < 60; i++) scan[i] = all[i].sum + all[i].extra;
  Base part;
  part.at = left, part.count = 7, part.sum = 2;
  for (int i = 0; i < 60; i++) {
    got[i] = d.extra;
    d.extra = d.extra * 0.5 + other[i];
    slice(d, part);
    static_cast<Base &>(d) = part;
  }
  for (int i = 0; i < d.count; i++) scan[i] += 1;
  for (int i = 0; i < d.Base::count; i++) scan[i] += d.Base::at[i];
  Body b;
  b.Mass::n = 10, b.Speed::n = 55, b.m = 1, b.v = 2, b.t = 3;
  for (int i = 0; i < b.Speed::n; i++) bodies[i] = b;
  for (int i = 0; i < b.Mass::n; i++) bodies[i].Mass::n = i;
  double total = d.sum + d.extra;
  for (int i = 0; i < 60; i++) {
    total += cells[i].rho * i + cells[i].e + one.flux[i] + one.old[i] * i + left[i] + right[i] * i + scan[i] * i + got[i];
    total += bodies[i].Speed::n * i + bodies[i].Mass::n;
  }
  std::printf("%.12g\n", total);
}
