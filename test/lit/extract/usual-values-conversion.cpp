// A conversion that is called has no name of its own: main is gone through once all the same, for what sizes are without arguments.
// RUN: %busfare extract %s | %FileCheck %s
#include <cstdlib>
struct Input {
  bool isOpen;
  explicit operator bool() const { return isOpen; }
  operator int() const;
};
double u[100000];
// CHECK: define n usually 300 because "n"
// CHECK: for i = 0 .. n - 1
int main(int argc, char **argv) {
  Input in{false};
  int n = 300;
  if (in) n = 500;
  if (argc > 1) n = std::atoi(argv[1]);
  for (int i = 0; i < n; i++)
    u[i] = 1;
  return int(in) + u[5] > 0;
}
