// RUN: %not %busfare loops %s 2>&1 >%t | %FileCheck --strict-whitespace %s
// RUN: %python %S/../rules/Inputs/unwrap.py < %t | %FileCheck --check-prefix=REPORT %s
// RUN: sh -c '%busfare loops %s >/dev/null 2>&1; test $? = 2'
// Words that cannot be read, with their place; the rest is reported.
void f(int n, double *a, double *b) {
  // busfare: parallel
  for (int i = 0; i < n; i++) a[i] = 0;
// CHECK: errors.c:6:15: error: this hint cannot be read, so it is not taken: expected 'independent', 'temporary', 'noalias', 'size', 'range' or 'ignore', found 'parallel' [BF020]
// CHECK-NEXT:   // busfare: parallel
// CHECK-NEXT: {{^ {14}\^}}
  // busfare: noalias(a)
  for (int i = 0; i < n; i++) a[i] = 0;
// CHECK: errors.c:11:22: error: {{.*}}it takes two names to say that they do not overlap
  // busfare: ignore(BF999)
  for (int i = 0; i < n; i++) a[i] = 0;
// CHECK: errors.c:14:21: error: {{.*}}there is no rule 'BF999'
  // busfare: size(n=4096
  for (int i = 0; i < n; i++) a[i] = 0;
// CHECK: errors.c:17:26: error: {{.*}}expected ')' after the size, found the end of the hint
  // busfare:
  for (int i = 0; i < n; i++) a[i] = 0;
// CHECK: errors.c:20:14: error: {{.*}}found the end of the hint
}
// REPORT: f (
// REPORT: errors.c:6:15: error: this hint cannot be read
// REPORT-NOT: [BF023]
