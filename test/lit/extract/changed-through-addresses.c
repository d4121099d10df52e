// RUN: %busfare extract %s -- | %FileCheck %s
// A field or global that a called function changes through its address is changed for the callers of its caller, too.
struct grid { int n; };
int total;
void get(int *p) { *p = 7; }
void setField(struct grid *g) { get(&g->n); }
void setGlobal(void) { get(&total); }
void deeper(struct grid *g) { setField(g); }
// CHECK-LABEL: function use(
void use(double *a) {
  struct grid g;
  g.n = 3;
  deeper(&g);
  for (int i = 0; i < g.n; i++) a[i] = 1; // CHECK: for i = 0 .. [[N:g.n[.0-9]*]] - 1
  g.n = 4;
  for (int i = 0; i < g.n; i++) a[i] = 1; // CHECK: for i.2 = 0 .. 3
  total = 5;
  for (int i = 0; i < total; i++) a[i] = 2; // CHECK: for i.3 = 0 .. 4
  setGlobal();
  for (int i = 0; i < total; i++) a[i] = 2; // CHECK: for i.4 = 0 .. total{{[.0-9]*}} - 1
}
