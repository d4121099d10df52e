// RUN: %busfare loops %s | %python %S/../rules/Inputs/unwrap.py | %FileCheck %s
// RUN: %busfare loops --format json %s | %FileCheck --check-prefix=JSON %s
// RUN: %busfare sections %s | %python %S/../rules/Inputs/unwrap.py | %FileCheck --check-prefix=SECTIONS %s
// Suppressed findings are counted; what the analysis says does not change.
void f(int n, double *a, const int *idx) {
  // busfare: ignore(BF001, BF007)
  for (int i = 0; i < n; i++)
    a[idx[i]] += a[i];
  for (int i = 0; i < n; i++)
    a[idx[i]] = 0;
}
// CHECK: i no
// CHECK: i no
// CHECK-NOT: ignore.c:8:5: remark
// CHECK: ignore.c:9:3: note: iterations depend {{.*}}
// CHECK: ignore.c:10:5: remark: subscript depends on memory
// CHECK: 2 findings suppressed by hints: BF001, BF007
// JSON: "suppressed": {
// JSON-NEXT: "BF001": 1,
// JSON-NEXT: "BF007": 1
// SECTIONS: 1 finding suppressed by hints: BF001
