// RUN: %busfare extract %s -- | FileCheck %s
// Code that is not seen may keep the pointers it is given, and use them when it is called from elsewhere.
void keep_it(double *p);
void look_at(const double *p);
void unseen(void);
static void gives(double *z) { keep_it(z); }
static void fill(int n, double *x) {
  for (int i = 0; i < n; i++)
    x[i] = i;
}
static void calls(int n, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = i;
  unseen();
}
int main(void) {
  double a[100], b[100], c[100], d[100];
  // CHECK-LABEL: function main
  keep_it(a);
  look_at(b);
  gives(c);       // CHECK: call gives(&c) exposing (a, const b)
  fill(100, a);   // CHECK: call fill(100, &a) at
  calls(100, d);  // CHECK: call calls(100, &d) exposing (a, const b, c)
  for (int t = 0; t < 3; t++) {
    calls(100, a); // CHECK: call calls(100, &a) exposing (a, const b, c, d)
    unseen();      // CHECK: host opaque "unseen"
                   // CHECK: may write d[?]
    keep_it(d);
  }
  return (int)d[1];
}
