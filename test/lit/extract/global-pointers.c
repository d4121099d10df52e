// RUN: %busfare extract %s -- | %FileCheck %s
// Functions speak of what is behind a global pointer by its name: where pointers have changed places, or lead elsewhere, a call
// has to say so.
#include <stdlib.h>
static double *u, *v;
static void fill(int n) { for (int i = 0; i < n; i++) u[i] = i; }
static void same(void) { u = v; }
// CHECK-LABEL: function once(
void once(void) {
  double *x = u; u = v; v = x;
  fill(1000); // CHECK: rotate u <- v, v <- u
              // CHECK-NEXT: call fill(1000)
              // CHECK-NEXT: rotate v <- u, u <- v
  for (int i = 0; i < 1000; i++) v[i] = u[i] + 1; // CHECK: read v[i]
                                                  // CHECK: write u[i]
} // CHECK: rotate u <- v, v <- u
// CHECK-LABEL: function repeated(
void repeated(void) {
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < 1000; i++) v[i] = u[i] + 1; // CHECK: read u[i]
    double *x = u; u = v; v = x;
    fill(1000); // CHECK: rotate u <- v, v <- u
                // CHECK-NEXT: call fill(1000)
                // CHECK-NEXT: rotate v <- u, u <- v
  }             // CHECK-NEXT: rotate u <- v, v <- u
}
// CHECK-LABEL: function part(
void part(double *b) {
  u = b + 10;
  fill(100); // CHECK: host opaque "fill"
             // CHECK: may write b[?]
}
// CHECK-LABEL: function main(
int main(void) {
  double s = 0;
  u = malloc(1000 * sizeof *u);
  v = malloc(1000 * sizeof *v);
  fill(500); // CHECK: call fill(500)
  same();
  fill(1000); // CHECK: host opaque "fill"
              // CHECK: may write v[?]
  for (int i = 0; i < 1000; i++) s += v[i];
  return s > 0;
}
// CHECK: finding BF012 {{.*}}"fill uses a global pointer that leads into another array here; the call stays on the host"
