// Objects that are passed by value go when the call is over: their destructors run behind its body.
// RUN: %busfare extract %s | %FileCheck %s
#include <cstdio>
#include <utility>
static double A[100], B[100], C[100];
static int copies;
struct D {
  double *p;
  explicit D(double *q) : p(q) {}
  D(const D &o) : p(o.p) { copies++; }
  D(D &&o) : p(o.p) { o.p = C; }
  ~D() { for (int i = 0; i < 100; i++) p[i] += 1; }
};
static void byValue(D d, double *o) { for (int i = 0; i < 100; i++) o[i] += d.p[i]; }
static double first(D d) { return d.p[0]; }
struct G { double *p; ~G() { for (int i = 0; i < 100; i++) p[i] = 5; } };

// CHECK-LABEL: function main(
int main() {
  for (int i = 0; i < 100; i++) A[i] = i % 7, B[i] = 1, C[i] = 2;
  // CHECK: call byValue(
  // CHECK-NEXT: call `D::~D`(&A)
  byValue(D(A), B);
  for (int i = 0; i < 100; i++) C[i] += A[i];
  D g(A);
  // CHECK: call byValue(
  // CHECK-NEXT: call `D::~D`(
  byValue(g, B);
  for (int i = 0; i < 100; i++) C[i] += A[i] * 2;
  // CHECK: call byValue(
  // CHECK-NEXT: call `D::~D`(
  byValue(std::move(g), B);
  for (int i = 0; i < 100; i++) B[i] += A[i] * 3;
  // CHECK: call first(
  // CHECK: call `D::~D`(&A)
  B[3] += first(D(A));
  for (int i = 0; i < 100; i++) C[i] += A[i];
  auto run = [](D d, G) { for (int i = 0; i < 100; i++) C[i] += d.p[i] * 2; };
  // CHECK: for i{{[.0-9]*}} = 0 .. 99
  // CHECK-NEXT: read A[
  // CHECK-NEXT: update C[
  // CHECK: call `G::~G`(
  // CHECK-NEXT: call `D::~D`(&A)
  run(D(A), G{B});
  for (int i = 0; i < 100; i++) C[i] += A[i] + B[i];
  double total = copies;
  for (int i = 0; i < 100; i++) total += A[i] * (i + 1) + B[i] * 2 + C[i] * 3;
  std::printf("%.17g\n", total);
}
