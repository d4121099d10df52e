// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
struct Shape { virtual double area(double x) const { return x; } };
void f(int n, double *y, const Shape *shape) {
  for (int i = 0; i < n; i++)
    y[i] = shape->area(y[i]);
  // CHECK: BF026.cpp:[[#@LINE-1]]:12: remark: which area a virtual call runs is known only while it runs
}
