// RUN: %busfare extract %s -- | FileCheck %s
// Members, subscript operators with visible bodies, templates, references.
#include <complex>
class Grid {
  int nx, ny;
  double *data;

public:
  double &operator()(int i, int j) { return data[i * ny + j]; }
  void clear() {
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++)
        (*this)(i, j) = 0; // CHECK: write `this->data`[i*`this->ny` + j]
  }
};
template <class T> void axpy(int n, T a, const T *x, T *y) {
  for (int i = 0; i < n; i++) {
    T &target = y[i];
    target += a * x[i]; // CHECK: update y[i] +
  }
}
template void axpy<float>(int, float, const float *, float *);
void values(std::complex<double> *c) {
  for (int i = 0; i < 4; i++)
    c[i] = c[i] * c[i]; // CHECK: write c[i]
}
double total() {
  double a[3] = {1, 2, 3}, s = 0;
  for (double v : a) // CHECK: for it{{.*}} = 0 .. 2 range
    s += v;          // CHECK: update s +
  return s;
}
