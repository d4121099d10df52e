// RUN: %busfare extract %s -- | FileCheck %s
// A step that is a value: how often the loop turns is known before it, though by no formula.
void guarded(double *a, int n, int s) {
  if (s > 0)
    for (int i = 0; i < n; i += s) // CHECK: define i.turns because "i < n in steps of s" in 0 .. max(0, n) quotient n + s - 1 by s
      a[i] = 1;                    // CHECK: for i = 0 .. i.turns - 1
                                   // CHECK-NEXT: write a[i*s]
}
void of_an_outer_index(char *p, int n) {
  for (int i = 2; i < 1000; i++)
    for (int j = i * i; j <= n; j += i) // CHECK: define j.turns because "j <= n in steps of i" in 0 .. max(0, n - i*i + 1) quotient i - i*i + n by i
      p[j] = 0;                         // CHECK: for j = 0 .. j.turns - 1
                                        // CHECK-NEXT: write p[i*i + i*j]
}
void down(double *a, int n, int s) {
  if (s > 0)
    for (int i = n; i > 0; i -= s) // CHECK: define i.turns because "i > 0 in steps of s" in 0 .. max(0, n) quotient n + s - 1 by s
      a[i] = 1;                    // CHECK: write a[n - i*s]
}
// Nothing but its condition ends it, so it runs only if it gets there.
void of_any_sign(double *a, int n, int s) {
  for (int i = 0; i < n; i += s) // CHECK: define i.turns because "i < n in steps of s" in 0 .. ?
    a[i] = 1;
}
int behind(int n, int s) {
  int i = 0;
  for (i = 0; i < n; i += s) // CHECK: define i.turns because "i < n in steps of s" in 0 .. ?
    ;
  return i; // CHECK: read i
}
// With a step of 0 it may turn for ever before it is left.
void left_early(double *a, int n, int s) { // CHECK-LABEL: function left_early
  for (int i = 0; i < n; i += s) {         // CHECK: for i = 0 .. i.turns - 1 early-exit
    if (a[i] > 0) break;
    a[i] = 1;
  }
}
// It may step over the end of its values.
void narrow(double *a, short n, short s) { // CHECK-LABEL: function narrow
  for (short i = 0; i < n; i += s)         // CHECK: define trips
    a[i] = 1;
}
void unsigned_down(double *a, unsigned n, unsigned s) { // CHECK-LABEL: function unsigned_down
  for (unsigned i = n; i > 0; i -= s)                   // CHECK: define trips
    a[i - 1] = 1;
}
// The step, or the end, is another one in each iteration.
void growing(double *a, int n) { // CHECK-LABEL: function growing
  int s = 1;
  for (int i = 0; i < n; i += s) { // CHECK: define trips
    a[i] = 1;
    s++;
  }
}
void moving_end(double *a, int n, int s, const int *w) { // CHECK-LABEL: function moving_end
  if (s > 0)
    for (int i = 0; i < n; i += s) { // CHECK: define trips
      a[i] = 1;
      n = w[i];
    }
}
