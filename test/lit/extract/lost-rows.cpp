// RUN: %busfare extract %s -- -std=c++17 | %FileCheck %s
// Stores that change what a table's rows are, under other names: in the next iteration the rows are others.
struct Row {
  double *p;
  int n;
};
// CHECK-LABEL: function reference(
// CHECK: write `a[0]`[?]
void reference(double **a, double *b, int k) {
  for (int t = 0; t < k; t++) {
    a[0][t] = 1;
    double *&r = a[0];
    r = b;
  }
}
// CHECK-LABEL: function binding(
// CHECK: write `s[0].p`[?]
void binding(Row *s, double *b, int k) {
  for (int t = 0; t < k; t++) {
    s[0].p[t] = 1;
    auto &[q, m] = s[0];
    q = b;
  }
}
struct Hold {
  double **a;
  double *b;
  ~Hold() { a[0] = b; }
};
// CHECK-LABEL: function destroyed(
// CHECK: write `a[0]`[?]
void destroyed(double **a, double *b, int k) {
  for (int t = 0; t < k; t++) {
    Hold h{a, b};
    a[0][t] = 1;
  }
}
struct Bump {
  int *count;
  ~Bump() { (*count)++; }
};
// A destructor changes what the next iteration finds.
// CHECK-LABEL: function counted(
// CHECK: write a[?]
void counted(double *a, int k) {
  int count = 0;
  for (int t = 0; t < k; t++) {
    Bump b{&count};
    a[count] = 1;
  }
}
