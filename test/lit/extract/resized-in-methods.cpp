// A method that resizes a vector keeps what it held, so that its memory has no one size there; where the caller's vector held nothing
// (a constructor's own), it has the size that the method gives it, or that it says itself behind that. Not so if it may have been
// longer in between, or gets other memory later.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare analyze %s --function run | %FileCheck --check-prefix=CROSS %s
#include <vector>

struct field {
  std::vector<double> x, longer, twice, shorter, perhaps, regrown;
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
    grow(3 * nodes);
  }
  void setUp(int count) {
    x.resize(count);
    longer.resize(count);
    longer.push_back(1);
    twice.resize(count);
    twice.resize(count + 1);
    shorter.resize(2 * count);
    shorter.resize(count);
    if (count > 8)
      perhaps.resize(count);
    regrown.resize(count);
  }
  void grow(int count) { regrown.resize(count); }
};

// CHECK: function field::field(
// CHECK-DAG: array `this->x` : f64[nx*nx + 2*nx + 1]
// CHECK-DAG: array `this->longer` : f64[nx*nx + 2*nx + 2]
// CHECK-DAG: array `this->twice` : f64[nx*nx + 2*nx + 2]
// CHECK-DAG: array `this->shorter` : f64[?]
// CHECK-DAG: array `this->perhaps` : f64[`this->perhaps.size()`]
// CHECK-DAG: array `this->regrown` : f64[?]
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

// So has memory that callees put behind a pointer. What there is at the end must go in: 3*n elements, not n.
// RUN: %busfare analyze %s --function replaced | %FileCheck --check-prefix=AGAIN %s
// AGAIN: grid.y h2d 1x {{.*}}:3*n-1:1]
struct grid { double *y; };
static void setUp(grid *g, int n) {
  g->y = new double[n];
  for (int i = 0; i < n; i++)
    g->y[i] = 0;
}
static void grow(grid *g, int n) {
  delete[] g->y;
  g->y = new double[n];
  g->y[0] = 1;
  for (int i = 1; i < n; i++)
    g->y[i] = g->y[i - 1] + 1;
}
double replaced(int n, const int *list) {
  grid grid;
  setUp(&grid, n);
  for (int i = 0; i < n; i++)
    grid.y[i] += i;
  grow(&grid, 3 * n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += grid.y[list[i]];
  return sum;
}

// What is appended behind the only allocation makes the memory larger than that says.
// RUN: %busfare analyze %s --function appended | %FileCheck --check-prefix=APPENDED %s
// APPENDED: v h2d 1x {{.*}}(whole)
double appended(int n, const int *list) {
  std::vector<double> v;
  v.resize(n);
  for (int i = 0; i < n; i++)
    v[i] = i;
  v.push_back(1);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += v[list[i]];
  return sum;
}
