// RUN: %busfare extract %s | %FileCheck %s
//
// Structs that unseen code fills, pointers that it sets by their address, and what it does to them later.

struct grid { int n; double *u, *v; double **rows; };
struct options { int verbose; char *name; };
void grid_make(struct grid *g, int n);
struct grid *grid_new(int n);
void parse(struct options *o);
void report(struct grid *g);
int vector_new(double **p, int n);
void *raw(unsigned long bytes);

// CHECK-LABEL: function filled(
// CHECK: array g.v : f64[?] given
// CHECK: array g.u : f64[?] given
// CHECK: host opaque "grid_make"
// CHECK: may write g.u[?]
// CHECK: may write g.v[?]
// CHECK: read g.u[i]
// CHECK: write g.v[i]
void filled(int n) {
  struct options o;
  parse(&o); // holds no doubles
  struct grid g = {0};
  grid_make(&g, n);
  for (int i = 0; i < n; i++)
    g.v[i] = 2 * g.u[i];
}

// Its rows too: that they do not overlap is said elsewhere.
// CHECK-LABEL: function returned(
// CHECK: array `g->rows[]` : f64[?][?] given rows
// CHECK: array `g->u` : f64[?] given
// CHECK: host opaque "grid_new"
// CHECK: may write `g->rows[]`[?][?]
// CHECK: may write `g->u`[?]
// CHECK: write `g->rows[]`[i][j]
void returned(int n) {
  struct grid *g = grid_new(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      g->rows[i][j] = g->u[i];
}

// The second call could set the first pointer again.
// CHECK-LABEL: function by_address(
// CHECK: array a : f64[?] given steady
// CHECK: array b : f64[?] given at
// CHECK: host opaque "vector_new"
// CHECK-NEXT: may read a[?]
// CHECK-NEXT: may write a[?]
// CHECK: host opaque "vector_new"
// CHECK-DAG: may write a[?]
// CHECK-DAG: may write b[?]
void by_address(int n) {
  double *a, *b;
  vector_new(&a, n);
  vector_new(&b, n);
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}

// CHECK-LABEL: function steps(
// CHECK: array `g->u` : f64[?] parameter steady
// CHECK: array `g->rows[]` : f64[?][?] parameter steady rows
// CHECK: for t =
// CHECK: write `g->u`[i]
// CHECK: update `g->rows[]`[i][0] *
// CHECK: host opaque "report"
// CHECK: may write `g->rows[]`[?][?]
// CHECK: may write `g->u`[?]
void steps(struct grid *g, int n) {
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < n; i++) {
      g->u[i] = t;
      g->rows[i][0] *= 2;
    }
    report(g);
  }
}

// What this function sets itself is not what it was; what unseen code is given the address of may be set there.
// CHECK-LABEL: function set_anew(
// CHECK: write `g->v`[i]
// CHECK-LABEL: function moved(
// CHECK: array [[P:p.[0-9]]] : f64[?] alias
// CHECK: write [[P]][i]
void set_anew(struct grid *g, int n) {
  report(g);
  g->u = g->v;
  for (int i = 0; i < n; i++)
    g->u[i] = 0;
}
void moved(double *p, int n) {
  vector_new(&p, n);
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
