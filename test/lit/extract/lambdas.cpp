// RUN: %busfare extract %s -- -std=c++17 | %FileCheck %s
// A lambda's body is walked where it is called, with the variables around it.
#include <vector>

// CHECK-LABEL: function places(
void places(int n, int m, double *a) {
  auto at = [&](int i, int j) -> double & { return a[i * m + j]; };
  // CHECK: write a[i*m + j]
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) at(i, j) = 1;
}

// CHECK-LABEL: function carried(
void carried(double *a) {
  int count = 0;
  auto bump = [&] { count += 2; };
  // CHECK: for i = 0 .. 9
  // CHECK-NEXT: write a[2*i]
  for (int i = 0; i < 10; i++) {
    a[count] = i;
    bump();
  }
}

// What is held by value is what the variable held when the lambda was made.
// CHECK-LABEL: function held(
void held(double *a) {
  int k = 5;
  auto old = [k](double *p) { p[k] = 1; };
  k = 7;
  // CHECK: write a[5]
  old(a);
  // CHECK: write a[7]
  a[k] = 2;
}

// An early return ends the lambda, not the function.
// CHECK-LABEL: function returns(param n, array a)
void returns(int n, double *a) {
  auto set = [=](int i) {
    if (i == 0) return;
    a[i] = 0;
  };
  // CHECK: for i = 0 .. n - 1 at [[@LINE+6]]:3 {
  // CHECK-NEXT: if -i >= 0
  // CHECK: write a[i]
  // CHECK: write a[i + n]
  // CHECK: }
  // CHECK: write a[0]
  for (int i = 0; i < n; i++) {
    set(i);
    a[i + n] = 1;
  }
  a[0] = 3;
}

struct Later {
  Later(void *);
};
template <class F> void keep(F *f);
// What code that is not seen may call, it may call at any time: the variables it refers to are not known any more.
// CHECK-LABEL: function escapes(
void escapes(double *a, int n) {
  int k = 3;
  auto change = [&] { k = n; };
  Later later(&change);
  // CHECK: host opaque
  // CHECK: define k because
  // CHECK: write a[k]
  a[k] = 1;
}

// CHECK-LABEL: function Grid::sweep(
struct Grid {
  std::vector<double> u;
  int nx;
  void sweep(int n) {
    auto cell = [this](int i, int j) -> double & { return u[i * nx + j]; };
    // CHECK: write `this->u`[i*`this->nx` + j]
    for (int i = 0; i < n; i++)
      for (int j = 0; j < nx; j++) cell(i, j) = 0;
  }
};

// One that calls itself is not followed, but it reaches what it refers to.
// CHECK-LABEL: function recursive(
void recursive(double *a, int n) {
  auto fill = [&](auto self, int i) -> void {
    if (i > 0) {
      a[i] = 1;
      self(self, i - 1);
    }
  };
  // CHECK: host recursion
  // CHECK-NEXT: may read a[?]
  // CHECK-NEXT: may write a[?]
  fill(fill, n);
}

// What it holds by value is copied when it is made.
// CHECK-LABEL: function copied(
void copied(double s, double *o, int n) {
  for (int i = 0; i < n; i++) {
    // CHECK: read s at [[@LINE+2]]
    // CHECK-NEXT: write s
    auto f = [s] { return s; };
    s = 0;
    o[i] = f();
  }
}

// A container, too, is then another one.
// CHECK-LABEL: function container(
void container(std::vector<double> &v, double *o) {
  // CHECK: alloc `v (captured)`
  // CHECK: read v[it]
  auto f = [v](int i) { return v[i]; };
  // CHECK: write v[1]
  v[1] = 5;
  // CHECK: read `v (captured)`[1]
  // CHECK-NEXT: write o[0]
  o[0] = f(1);
}

// One that changes what it holds keeps it from call to call.
// CHECK-LABEL: function kept(
void kept(std::vector<double> &v, double *o) {
  auto f = [v](int i) mutable {
    v[i] = 2;
    return v[0];
  };
  // CHECK: host opaque "lambda"
  // CHECK-NOT: write v[3]
  o[0] = f(3);
}
