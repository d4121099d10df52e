// Structured bindings of what a range-for runs over: fields, and elements of a pair, which are variables of their own.
// RUN: %busfare loops %s | %FileCheck %s
// RUN: %busfare sections %s | %FileCheck %s --check-prefix=SECTIONS
// CHECK: 18 {{.*}} reduction(+: s)
// CHECK: 19 {{.*}} yes
// CHECK: 20 {{.*}} reduction(+: a)
// CHECK: 21 {{.*}} no
// SECTIONS: nest in main at {{.*}}:19:3
// SECTIONS: ps {{ *}}write
// SECTIONS: nest in main at {{.*}}:20:3
// SECTIONS: ps {{ *}}read
#include <utility>
static std::pair<int, double> ps[100];
static double a[100];
int main() {
  for (int i = 0; i < 100; i++) a[i] = i, ps[i].first = i, ps[i].second = a[i] * 2;
  double s = 0;
  for (auto &[k, d] : ps) s += d * k;
  for (auto &[k, d] : ps) d = 1;
  for (auto [k, d] : ps) a[k] += d;
  for (int i = 1; i < 100; i++) { auto &[k, d] = ps[i]; d = ps[i - 1].second + a[k]; }
  return int(s);
}
