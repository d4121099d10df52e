// RUN: %busfare extract %s -- | FileCheck %s
// RUN: %busfare extract %s -- -x c++ | FileCheck %s
// RUN: %busfare sections %s -- | tr -s ' ' | FileCheck %s --check-prefix=SECTIONS
// A field that points to structs and is subscripted somewhere leads to an array of them; the fields of its elements that
// point lead to rows.
typedef struct {
  float weight, *coord;
  long assign;
} Point;
typedef struct {
  long num;
  int dim;
  Point *p;
} Points;

// CHECK-LABEL: function distance(
float distance(Point a, Point b, int dim) {
  float sum = 0;
  for (int i = 0; i < dim; i++) sum += (a.coord[i] - b.coord[i]) * (a.coord[i] - b.coord[i]);
  return sum;
}

// CHECK-LABEL: function total(
float total(Points *g) {
  float sum = 0;
  // CHECK: for k = 0 .. `g->num` - 1
  // CHECK: read `g->p`[k]
  for (long k = 0; k < g->num; k++) sum += g->p[k].weight;
  return sum;
}
// SECTIONS: nest in total at
// SECTIONS: g->p read, live-in exact [0:`g->num`-1:1]

// CHECK-LABEL: function spread(
float spread(Points *g) {
  float sum = 0;
  // CHECK: for k = 0 .. `g->num` - 1
  // CHECK: for i = 0 .. `g->dim` - 1
  // CHECK: read `g->p[].coord`[k][i]
  // CHECK: read `g->p[].coord`[0][i]
  for (long k = 0; k < g->num; k++) sum += distance(g->p[k], g->p[0], g->dim) * g->p[k].weight;
  return sum;
}
// SECTIONS: nest in spread at
// SECTIONS: g->p[].coord read, live-in exact [0:`g->num`-1:1][0:`g->dim`-1:1]

float apart(const float *x, const float *y, int m) {
  float sum = 0;
  for (int k = 0; k < m; k++) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sum;
}

// CHECK-LABEL: function nearest(
int nearest(float **pts, const float *pt, int n, int m) {
  int best = 0;
  float least = 1e30f;
  // CHECK: for i = 0 .. n - 1
  // CHECK: for k = 0 .. m - 1
  // CHECK: read pt[k]
  // CHECK: read `pts[]`[i][k]
  for (int i = 0; i < n; i++) {
    float far = apart(pt, pts[i], m);
    if (far < least) {
      least = far;
      best = i;
    }
  }
  return best;
}
// SECTIONS: nest in nearest at
// SECTIONS: pts[] read, live-in exact [0:n-1:1][0:m-1:1]
