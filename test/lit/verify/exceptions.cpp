// A program whose work stands in try blocks: read, ported, and ended where it would go on behind a handler with what is newer on the device.
// RUN: %busfare verify --mutants %s | %FileCheck %s
// RUN: %busfare port %s > %t.cpp
// RUN: %FileCheck %s --check-prefix=PORT < %t.cpp
// CHECK: verify: passed
// PORT: #include <cstdio>
// PORT: #pragma omp target
// PORT: } catch (...) { std::fputs("an exception came to the handler of line [[#@LINE+20]]: what is on the device then is not known\n", stderr), std::abort();
// PORT: } catch (const std::exception &failure) {
// PORT-NEXT: std::printf
#include <cstdio>
#include <stdexcept>
static double grid[512][512], fresh[512][512], corner;
static void check(int steps) {
  if (steps > 1000) throw std::runtime_error("too many steps");
}
static int solve(int steps) {
  try {
    check(steps);
    for (int t = 0; t < steps; t++) {
      for (int i = 1; i < 511; i++)
        for (int j = 1; j < 511; j++) fresh[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
      for (int i = 1; i < 511; i++)
        for (int j = 1; j < 511; j++) grid[i][j] = fresh[i][j];
      corner += grid[1][1];
      if (corner < 0) throw steps;
    }
  } catch (...) {
    return 1;
  }
  return 0;
}
int main() {
  try {
    for (int i = 0; i < 512; i++)
      for (int j = 0; j < 512; j++) grid[i][j] = (i * 31 + j * 17) % 64;
    int failed = solve(4);
    double sum = 0;
    for (int i = 0; i < 512; i++) sum += grid[i][i];
    std::printf("%d %g %g\n", failed, sum, corner);
  } catch (const std::exception &failure) {
    std::printf("%s\n", failure.what());
    return 1;
  }
  return 0;
}
