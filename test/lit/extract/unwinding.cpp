// Where local objects do something when they go, a handler that ends the program is no plain end: they do it on the way to it.
// RUN: %busfare extract %s 2>/dev/null | %FileCheck %s
#include <cstdio>

double a[100];
struct Guard {
  double *seen;
  ~Guard() { std::printf("%g\n", seen[5]); }
};
void unseen();

// CHECK-LABEL: function main(
// CHECK: host handler "catch (int)" at
int main() {
  try {
    Guard guard{a};
    unseen();
  } catch (int code) {
    std::printf("%d\n", code);
    return 1;
  }
}
