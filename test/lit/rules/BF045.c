// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
// RUN: not %busfare analyze --strict --function alone --param n=100 --param steps=10 %s 2>&1 | %FileCheck %s --check-prefix=STRICT
// STRICT: --strict: steady(g->u)
struct grid { int n; double *u, *v; };
void report(struct grid *g);
void look(const double *u);

// CHECK-NOT: 45.c:{{.*}}`g->v` is assumed to lead
// CHECK: BF045.c:[[#@LINE+5]]:5: note: `g->u` is assumed to lead where it led before code that is not seen was called
// CHECK-NOT: `g->v` is assumed to lead
void run(struct grid *g, double *out, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
    g->u[i] = 0.5 * out[i];
    report(g);
  }
}
// Nothing unseen is called before the last use.
void once(struct grid *g, double *out, int n) {
  for (int i = 0; i < n; i++)
    g->v[i] = 0.5 * out[i];
  report(g);
}
// One array, so nothing else is assumed.
void alone(struct grid *g, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      g->u[i] = 0.5 * t;
    report(g);
  }
}
