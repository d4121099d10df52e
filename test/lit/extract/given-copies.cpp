// RUN: %busfare loops %s | %FileCheck %s
//
// A struct that unseen code returns, copied before unseen code is given it again: both lead to the same memory.
struct Grid {
  int n;
  double *u;
  Grid(int);
  double &operator()(int i) { return u[i]; }
};
Grid make(int n);
void report(Grid &g);
// CHECK-LABEL: reversed (
// CHECK: i {{ *}}no {{ *}}{{.*}}g.u
void reversed(int n) {
  Grid g = make(n);
  Grid h = g;
  report(g);
  for (int i = 0; i < n; i++)
    g(i) = h(n - 1 - i);
}
