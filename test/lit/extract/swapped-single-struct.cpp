// Two pointers to single structs that a method exchanges: their fields have names of their own, so that no names change
// places, and where the pointers lead is not known afterwards.
// RUN: %busfare extract %s 2>&1 | %FileCheck %s
// CHECK-NOT: mistake
// CHECK: function Owner::swap(
// CHECK-NOT: rotate
// CHECK: function `Owner::operator=`(
#include <utility>
struct Plane {
  double a, b;
};
struct Owner {
  Owner(const Owner &other) : plane(other.plane) {}
  void swap(Owner &other) { std::swap(plane, other.plane); }
  Owner &operator=(const Owner &other) {
    Owner copy(other);
    swap(copy);
    return *this;
  }
  Plane *plane;
};
void take(Owner &a, const Owner &b) { a = b; }
