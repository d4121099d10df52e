// RUN: %not %busfare loops %s 2>%t | %python %S/../rules/Inputs/unwrap.py | %FileCheck %s
// RUN: %FileCheck --strict-whitespace --check-prefix=ERRORS %s < %t
// RUN: sh -c '%busfare loops %s >/dev/null 2>&1; test $? = 2'
// RUN: %busfare analyze --quiet %s -- cc -c %s >/dev/null 2>&1
// What the program contradicts is an error, and is not taken.

void scan(int n, double *a) {
  // busfare: independent
  for (int i = 1; i < n; i++) a[i] += a[i - 1];
}
// CHECK: scan
// CHECK: i no
// ERRORS: refuted.c:8:3: error: independent is contradicted: a[i] -> a[i - 1]: a[1] at i = 1, then i = 2; the loop stays serial [BF022]
// ERRORS-NEXT:   // busfare: independent
// ERRORS-NEXT: {{^  \^}}

// busfare: noalias(x, y) size(n=100)
static void add(int n, double *y, const double *x) {
  for (int i = 0; i < n; i++) y[i] += x[i];
}
void twice(double *a) { add(99, a, a); }
// ERRORS: refuted.c:17:1: error: noalias(x, y) of add is contradicted by the call at {{.*}}:21:25, where both are a; the hint is not taken [BF022]
// ERRORS: refuted.c:17:1: error: size(n = 100) of add is contradicted by a call, where it is 99; the hint is not taken [BF022]

void scratch(int n, double *t, double *b) {
  // busfare: temporary(t)
  for (int i = 1; i < n; i++) b[i] = t[i] + 1;
  // busfare: temporary(b)
  for (int i = 0; i < n; i++) b[i] = i;
  for (int i = 0; i < n; i++) t[i] = b[i];
}
// ERRORS: refuted.c:26:3: error: temporary(t) is contradicted: t is read at {{.*}}:27:38 before it is written there; the hint is not taken and its contents are copied [BF022]
// ERRORS: refuted.c:28:3: error: temporary(b) is contradicted: b is read at {{.*}}:30:38 after it was written there; the hint is not taken and its contents are copied [BF022]

void sizes(double *a) {
  const int n = 10;
  // busfare: size(n=20)
  for (int i = 0; i < n; i++) a[i] = 0;
}
// ERRORS: refuted.c:37:3: error: size(n = 20) is contradicted by the program, where it is 10; the hint is not taken [BF022]
