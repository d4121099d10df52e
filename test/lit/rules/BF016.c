// RUN: %busfare loops --function f17 %s | %python %S/Inputs/unwrap.py | %FileCheck %s
// With all calls substituted there would be a hundred thousand of them.
void f0(double *a) { a[0] += 1; }
#define TWICE(made, from) void made(double *a) { from(a), from(a); }
TWICE(f1, f0) TWICE(f2, f1) TWICE(f3, f2) TWICE(f4, f3) TWICE(f5, f4) TWICE(f6, f5)
TWICE(f7, f6) TWICE(f8, f7) TWICE(f9, f8) TWICE(f10, f9) TWICE(f11, f10) TWICE(f12, f11)
TWICE(f13, f12) TWICE(f14, f13) TWICE(f15, f14) TWICE(f16, f15) TWICE(f17, f16)
// CHECK: BF016.c:{{[0-9:]+}}: warning: the program is too large with all calls substituted
