// RUN: %busfare extract %s | %FileCheck %s
// C++ chooses one of two places, and loads from that: what is read is known.
#define larger(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

// CHECK-LABEL: function numbers(
// CHECK-NOT: alias
// CHECK: read x[i]
// CHECK: read y[i]
// CHECK: if i - 4 >= 0
// CHECK-NEXT: read x[i] at 16:
// CHECK-NEXT: } else {
// CHECK-NEXT: read y[i] at 16:
void numbers(int n, double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double a = x[i], b = y[i];
    double c = i > 3 ? x[i] : y[i];
    y[i] = c + (a > b ? a : b) + larger(a, c);
  }
}

// CHECK-LABEL: function sizes(
// CHECK-NOT: alias
// CHECK: define `m > 3 ? m : n` because "m > 3 ? m : n depends on a condition" in min(m, n) .. max(m, n)
// CHECK: for i = max(0, m - 1) .. `m > 3 ? m : n` - 1 at
void sizes(int n, int m, double *x) {
  int high = m > 3 ? m : n, before = m - 1, none = 0;
  for (int i = before > none ? before : none; i < high; i++)
    x[i] = 1;
}

// Which of two structs is meant is not known.
struct Pair { double a, b; };
// CHECK-LABEL: function structs(
// CHECK: alias
double structs(int k, Pair &p, Pair &q) { return (k ? p : q).a; }
