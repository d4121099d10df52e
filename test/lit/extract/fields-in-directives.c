// RUN: %busfare extract %s -- -fopenmp | FileCheck %s
// A field leads to an array if a variable that takes its value is subscripted, in the body of a directive, too.
typedef struct {
  double energy, total;
} Point;
typedef struct {
  Point *grid;
  int n;
} Data;
static double at(const Point *restrict grid, int k) { return grid[k].total; }
static double twice(const Point *restrict grid, int k) {
  double sum = 0;
  for (int j = 0; j < 2; j++) sum += at(grid, k + j);
  return sum;
}
double run(Data data, int lookups) {
  double sum = 0;
// CHECK-LABEL: function run(
// CHECK: for i = 0 .. lookups - 1
// CHECK: call twice(&data.grid, 3*i)
// CHECK-NOT: takes as an array what is one struct
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < lookups; i++) {
    Point *grid = data.grid;
    sum += twice(grid, 3 * i);
  }
  return sum;
}
