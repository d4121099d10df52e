// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
// RUN: not %busfare analyze --strict --function goesOn --param n=100000 %s 2>&1 | %FileCheck %s --check-prefix=STRICT
// STRICT: --strict: unthrown({{.*}}BF046.cpp:[[#@LINE+9]]:5)
#include <cstdio>
#include <stdexcept>
void check(int n);
// CHECK-NOT: {{^}}{{.*}}BF046.cpp:[[#@LINE+1]]
void goesOn(int n, double *a) {
  for (int i = 0; i < n; i++) a[i] = 1;
  try {
    check(n);
  } catch (...) {
    // CHECK: BF046.cpp:[[#@LINE-1]]:5: remark: it is assumed that nothing is thrown to this handler, behind which the program goes on; port ends the program there [BF046]
    a[0] = 2;
  }
  for (int i = 0; i < n; i++) a[i] *= 2;
}
// CHECK-NOT: [BF046]
void throwsOn(int n, double *a) {
  try {
    check(n);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "n: %s\n", failure.what());
    throw;
  }
  for (int i = 0; i < n; i++) a[i] *= 2;
}
