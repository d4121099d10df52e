// RUN: %busfare loops %s | %python %S/../rules/Inputs/unwrap.py | %FileCheck %s
// Hints that change nothing are said, and cost no exit code.
void f(int n, double *a, double *b) {
  // busfare: independent
  n = n / 2;
  // busfare: temporary(q)
  for (int i = 0; i < n; i++) a[i] = 0;

  double *p = a + 1;
  // busfare: temporary(p)
  for (int i = 0; i < n; i++) p[i] = 0;
  // busfare: range(a: 0, n)
  for (int i = 0; i < n; i++) a[i] = 0;
  // busfare: size(q=3)
  for (int i = 0; i < n; i++) a[i] = 0;
}
// busfare: independent
void g(int n, double *a) {}
// CHECK: unused.c:4:3: warning: the hint `independent` stands before no loop or function that is read; it changes nothing [BF021]
// CHECK: unused.c:6:3: warning: temporary: no `q` is in sight there; the hint changes nothing [BF021]
// CHECK: unused.c:10:3: warning: temporary: `p` points into a there; name a itself; the hint changes nothing [BF021]
// CHECK: unused.c:12:3: warning: range: `a` holds no integers; the hint changes nothing [BF021]
// CHECK: unused.c:14:3: warning: size names 'q', which is no open size of f; the hint changes nothing [BF021]
// CHECK: unused.c:17:1: warning: independent speaks of a loop, and stands on the function g; the hint changes nothing [BF021]
