// Classes with `operator()(i, j)` and `operator[]`, members through `this`.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -std=c++20 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}1 kernel;
// CHECK: Mutants: 3 caught, 1 excused, 0 survived
#include <cstdio>
#include <cstdlib>

class Grid {
public:
  Grid(int nx, int ny) : nx(nx), ny(ny), cells(new double[nx * ny]) {}
  ~Grid() { delete[] cells; }
  double &operator()(int i, int j) { return cells[i * ny + j]; }
  double operator[](int k) const { return cells[k]; }
  void relax() {
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++)
        cells[i * ny + j] *= 0.5;
  }
  int nx, ny;
  double *cells;
};

int main() {
  Grid a(9, 8), b(9, 8);
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 8; j++)
      a(i, j) = rand() % 100, b(i, j) = 0;
  for (int i = 1; i < 8; i++)
    for (int j = 1; j < 7; j++)
      b(i, j) = a(i - 1, j) + a(i + 1, j);
  b.relax();
  for (int k = 0; k < 72; k++)
    printf("%g\n", b[k]);
}
