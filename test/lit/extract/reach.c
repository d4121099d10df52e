// RUN: %busfare extract %s -- | FileCheck %s
// An opaque call reaches what lies behind a struct's pointers, also those first used after it.
typedef struct { int n; double *x; } Vector;
double total[4];
void refill(Vector *v);
void sum(Vector *v, double *out) {
  for (int t = 0; t < 10; t++) {
    refill(v);                     // CHECK: host opaque "refill"
                                   // CHECK-DAG: may write total[?]
    for (int i = 0; i < v->n; i++) // CHECK: define `v->n
      out[i] = v->x[i];            // CHECK: read `v->x
  }
}
void bound(int *p, double *a) {
  for (int i = 0; i < p[0]; i++) { // CHECK: define trips because "i < p[0]"
    a[i] = 1;
    p[0]--;
  }
}
