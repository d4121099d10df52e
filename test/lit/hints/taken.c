// RUN: %busfare analyze --function step %s | %python %S/../rules/Inputs/unwrap.py | %FileCheck %s
// RUN: %busfare analyze --function step --format json %s | %FileCheck --check-prefix=JSON %s
// RUN: %busfare analyze --function step --param n=77 --format json %s | %FileCheck --check-prefix=PARAM %s
// RUN: %busfare analyze --function step --strict %s > /dev/null
// What is taken is listed, with where it comes from.

// busfare: size(n=5000) noalias(a, b, t)
void step(int n, double *a, const double *b, double *t) {
  // busfare: temporary(t)
  for (int i = 0; i < n; i++) {
    t[i] = b[i];
    a[i] = 2 * t[i];
  }
}
// CHECK-NOT: t h2d
// CHECK: Never cross (temporary): t.
// CHECK: 5000 (hint): step::n
// CHECK: temporary(t) (taken from a hint)
// CHECK-NOT: noalias(
// CHECK: Findings
// JSON: "name": "t"
// JSON: "h2d": null
// JSON: "d2h": null
// JSON: "value": 5000
// JSON-NEXT: "source": "hint"
// PARAM: "value": 77
// PARAM-NEXT: "source": "command line"
