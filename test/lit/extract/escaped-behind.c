// RUN: %busfare extract %s | %FileCheck %s
//
// Who has a struct has what its pointers lead to, whenever they were set.
struct grid { double *u; struct grid *next; };
void keep(const struct grid *g);
struct grid *find(int n);
void ping(void);

// CHECK-LABEL: function before()
// CHECK: host opaque "ping"
// CHECK: may write own[?]
void before(void) {
  double own[100];
  struct grid g = {0};
  g.u = own;
  keep(&g);
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < 100; i++)
      own[i] += t;
    ping();
  }
}
// CHECK-LABEL: function after()
// CHECK: host opaque "ping"
// CHECK: may write own[?]
void after(void) {
  double own[100];
  struct grid *g = find(1);
  g->u = own;
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < 100; i++)
      own[i] += t;
    ping();
  }
}
// CHECK-LABEL: function chained()
// CHECK: host opaque "ping"
// CHECK: may write own[?]
void chained(void) {
  double own[100];
  struct grid a = {0}, b = {0};
  a.next = &b;
  b.u = own;
  keep(&a);
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < 100; i++)
      own[i] += t;
    ping();
  }
}
// CHECK-LABEL: function as_number()
// CHECK: host opaque "ping"
// CHECK: may write own[?]
void number(long where);
void as_number(void) {
  double own[100];
  number((long)own);
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < 100; i++)
      own[i] += t;
    ping();
  }
}
