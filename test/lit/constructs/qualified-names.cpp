// Arrays in namespaces and of classes, `struct` before a type's name.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress -- -std=c++20 | %FileCheck %s
// CHECK: verify: passed
// CHECK: {{^ *}}3 kernels;
// CHECK: Mutants: 6 caught, 0 excused, 0 survived
#include <cstdio>
#include <cstdlib>

namespace sea {
double height[40];
namespace deep {
static double *flow = nullptr;
}
} // namespace sea
struct Wall {
  static double stress[40];
};
double Wall::stress[40];
static struct Cell {
  double value;
} cells[40];

int main() {
  sea::deep::flow = new double[40];
  for (int i = 0; i < 40; i++)
    sea::height[i] = rand() % 100;
  for (int i = 0; i < 40; i++)
    sea::deep::flow[i] = 2 * sea::height[i];
  for (int i = 0; i < 40; i++)
    Wall::stress[i] = sea::deep::flow[i] + 1;
  for (int i = 0; i < 40; i++)
    cells[i].value = Wall::stress[39 - i];
  for (int i = 0; i < 40; i++)
    printf("%g %g\n", sea::deep::flow[i], cells[i].value);
}
