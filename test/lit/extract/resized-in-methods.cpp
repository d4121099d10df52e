// A method that resizes a vector keeps what it held, so that its memory has no one size there; where the caller's vector held nothing
// (a constructor's own), it has the size that the method gives it. Not so if the method does more to its length, or gets there twice.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare analyze %s --function run | %FileCheck --check-prefix=CROSS %s
#include <vector>

struct field {
  std::vector<double> x, longer, twice;
  int *list, n, nodes;
  field(int nx) {
    n = nx * nx;
    nodes = (nx + 1) * (nx + 1);
    list = new int[n];
    setUp(nodes);
    for (int i = 0; i < n; i++)
      list[i] = i % 7;
    for (int i = 0; i < nodes; i++)
      x[i] = i;
  }
  void setUp(int count) {
    x.resize(count);
    longer.resize(count);
    longer.push_back(1);
    twice.resize(count);
    twice.resize(count + 1);
  }
};

// CHECK: function field::field(
// CHECK-DAG: array `this->x` : f64[nx*nx + 2*nx + 1]
// CHECK-DAG: array `this->longer` : f64[?]
// CHECK-DAG: array `this->twice` : f64[?]
// CHECK: call field::setUp(

// The gather reads what the device has written: nothing goes in.
// CROSS: In all: h2d 0 B
double run(int nx) {
  field *f = new field(nx);
  double *x = &f->x[0], sum = 0;
  for (int t = 0; t < 10; t++)
    for (int i = 0; i < f->n; i++)
      sum += x[f->list[i]];
  return sum;
}
