// What a lambda holds is what it was made with, in each object of its own; of one that another function made it is not known.
// RUN: %busfare extract %s | %FileCheck %s
struct Range { int n; double *p; };
double a[100], b[100], out[100];
auto view(double (&array)[100]) { return [&array](int i) -> double & { return array[i]; }; }

// CHECK-LABEL: function held(
void held() {
  Range r{10, a};
  int n = 20;
  auto f = [r] { for (int i = 0; i < r.n; i++) r.p[i] = 1; };
  auto g = [n, &r] { for (int k = 0; k < n; k++) out[k + r.n] = 2; };
  r.n = 60, r.p = b, n = 30;
  // CHECK: for i = 0 .. 9
  // CHECK-NEXT: write a[i]
  f();
  // CHECK: for k = 0 .. 19
  // CHECK-NEXT: write out[k + 60]
  g();
}

// CHECK-LABEL: function foreign(
void foreign() {
  auto f = view(a);
  // CHECK: host opaque "lambda"
  // CHECK: may write a[?]
  for (int i = 1; i < 100; i++) f(i) = 0;
}

int next = 0;
int step() { return next++; }
void put(double v, int k = step()) { out[k] = v; }
// CHECK-LABEL: function defaults(
void defaults() {
  next = 5;
  for (int i = 0; i < 20; i++) put(a[i]);
  // CHECK: for i.2 = 0 .. 24
  for (int i = 0; i < next; i++) b[i] = 0;
}
