// RUN: %busfare extract %s -- | FileCheck %s
// A function names of a struct what it uses. What it gives to unseen code besides, its callers tell: they know other
// fields, and what is behind them.
struct cells { int n, kind; double *x, *y; };
struct grid { int m; struct cells in; struct cells *out; double sum, spare[4]; int unused; };
void unseen(struct grid *);
void look(const struct grid *);
void given(struct grid);

// CHECK: function by_pointer(other g) at
// CHECK-NEXT: host opaque "unseen"
// CHECK-NEXT: }
void by_pointer(struct grid *g) { unseen(g); }
void by_const(const struct grid *g) { look(g); }
void by_value(struct grid g) { given(g); }
// `unused` is named nowhere, so the copy leaves it out.
// CHECK-LABEL: function copied(
// CHECK-NOT: unused
void copied(const struct grid *g) {
  struct grid mine = *g;
  given(mine);
}
// CHECK-LABEL: function kept_copy(
void kept_copy(struct grid *g) {
  struct grid mine = *g;
  mine.m = 3;
  unseen(&mine);
}

// CHECK-LABEL: function pointer(
// CHECK: call by_pointer(?) exposing (`g->in.x`, `g->out->y`, `g->spare`, `g->sum`)
double pointer(struct grid *g, int n) {
  for (int i = 0; i < n; i++)
    g->in.x[i] = g->out->y[i] + g->spare[2];
  g->sum += 1;
  by_pointer(g);
  // What it was before it is not now.
  // CHECK: define [[M:.*]] because "g->m"
  return g->in.x[g->m] + g->out->y[0] + g->sum;
}

// The struct itself is only read, what is behind it may be written.
// CHECK-LABEL: function constant(
// CHECK: call by_const(?) exposing (`g->in.x`, `g->out->y`, const `g->spare`, const `g->sum`)
double constant(struct grid *g, int n) {
  for (int i = 0; i < n; i++)
    g->in.x[i] = g->out->y[i] + g->spare[2];
  g->sum += 1;
  by_const(g);
  return g->in.x[0] + g->out->y[0] + g->sum;
}

// CHECK-LABEL: function value(
// CHECK: read `g->sum`
// CHECK: call by_value(?) exposing ({{.*}}`g->in.x`, `g->out->y`
double value(struct grid *g, int n) {
  for (int i = 0; i < n; i++)
    g->in.x[i] = g->out->y[i] + g->spare[2];
  g->sum += 1;
  by_value(*g);
  return g->in.x[0] + g->out->y[0] + g->sum;
}

// CHECK-LABEL: function copies(
// CHECK: call copied({{.*}}) exposing (`g->in.x`, {{.*}}`g->out->y`
// CHECK: call kept_copy({{.*}}) exposing (`g->in.x`, {{.*}}`g->out->y`
double copies(struct grid *g, int n) {
  for (int i = 0; i < n; i++)
    g->in.x[i] = g->out->y[i] + g->spare[2];
  copied(g);
  kept_copy(g);
  return g->in.x[0] + g->out->y[0] + g->sum;
}
