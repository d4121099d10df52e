// RUN: %busfare extract %s -- | FileCheck %s
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
float total(Points *points) {
  float sum = 0;
  // CHECK: for k = 0 .. `points->num` - 1
  // CHECK: read `points->p`[k]
  for (long k = 0; k < points->num; k++) sum += points->p[k].weight;
  return sum;
}
// SECTIONS: nest in total at
// SECTIONS: points->p read, live-in exact [0:`points->num`-1:1]

// CHECK-LABEL: function spread(
float spread(Points *points) {
  float sum = 0;
  // CHECK: for k = 0 .. `points->num` - 1
  // CHECK: for i = 0 .. `points->dim` - 1
  // CHECK: read `points->p[].coord`[k][i]
  // CHECK: read `points->p[].coord`[0][i]
  for (long k = 0; k < points->num; k++) sum += distance(points->p[k], points->p[0], points->dim) * points->p[k].weight;
  return sum;
}
// SECTIONS: nest in spread at
// SECTIONS: points->p[].coord read, live-in exact [0:`points->num`-1:1][0:`points->dim`-1:1]

// CHECK-LABEL: function nearest(
int nearest(float **pts, const float *pt, int n, int m) {
  int best = 0;
  float least = 1e30f;
  // CHECK: for i = 0 .. n - 1
  // CHECK: for k = 0 .. m - 1
  // CHECK: read pt[k]
  // CHECK: read `pts[]`[i][k]
  extern float apart(const float *x, const float *y, int m);
  for (int i = 0; i < n; i++) {
    float far = apart(pt, pts[i], m);
    if (far < least) {
      least = far;
      best = i;
    }
  }
  return best;
}
float apart(const float *x, const float *y, int m) {
  float sum = 0;
  for (int k = 0; k < m; k++) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sum;
}
// SECTIONS: nest in nearest at
// SECTIONS: pts[] read, live-in exact [0:n-1:1][0:m-1:1]
