// What a class's conversion does while a pair is made from it.
// RUN: %busfare loops %s 2>/dev/null | %FileCheck %s
#include <utility>

double a[1000];
static int m;
struct Tick {
  operator int() const {
    m = 0;
    return 1;
  }
};

// CHECK: [[#@LINE+5]] i no
// CHECK: [[#@LINE+9]] i yes
void converted() {
  m = 100;
  std::pair<int, int> made{Tick(), 2};
  for (int i = 4; i < 100; i++) a[i + m] = a[i - 4] + 1;
}
void plain() {
  m = 100;
  std::pair<int, double> made(3, 2.0);
  for (int i = 4; i < 100; i++) a[i + m] = a[i - 4] + 1;
}
