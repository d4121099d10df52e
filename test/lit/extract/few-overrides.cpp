// A virtual function with two bodies: the call is a branch over them, also where they return pointers.
// RUN: %busfare extract %s | %FileCheck %s
// CHECK: function main(
// CHECK: host unsupported "a virtual call"
// CHECK-NEXT: if ? at
// CHECK-NEXT: call Cubic::step(
// CHECK-NEXT: } else {
// CHECK-NEXT: call Linear::step(
// CHECK: host unsupported "a virtual call"
// CHECK-NEXT: if ? at
// CHECK-NEXT: call Cubic::data(
// CHECK-NEXT: } else {
// CHECK-NEXT: call Linear::data(
#include <vector>
struct Kernel {
  virtual void step(double *y, int n) = 0;
  virtual double *data() = 0;
  virtual ~Kernel() = default;
};
struct Linear : Kernel {
  double a = 2, *own = nullptr;
  void step(double *y, int n) override {
    for (int i = 0; i < n; i++)
      y[i] = a * y[i];
  }
  double *data() override { return own; }
};
struct Cubic : Kernel {
  double *other = nullptr;
  void step(double *y, int n) override {
    for (int i = 0; i < n; i++)
      y[i] = y[i] * y[i] * y[i];
  }
  double *data() override { return other; }
};
int main(int argc, char **) {
  static double y[1000];
  Linear linear;
  Cubic cubic;
  Kernel *kernel = argc > 1 ? static_cast<Kernel *>(&linear) : &cubic;
  kernel->step(y, 1000);
  return y[5] > 1 && kernel->data() != nullptr;
}
