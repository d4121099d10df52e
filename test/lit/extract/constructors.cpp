// RUN: %busfare extract %s | %FileCheck %s
// Objects of classes: what a constructor does to each field.
#include <vector>

class Matrix {
public:
  // CHECK-LABEL: function Matrix::Matrix(param r, param c,
  // CHECK: write `this->rows`
  // CHECK: alloc `this->data`[c*r]
  Matrix(int r, int c) : rows(r), cols(c), data(r * c) {}
  double &operator()(int i, int j) { return data[i * cols + j]; }
  double operator()(int i, int j) const { return data[i * cols + j]; }
  int rows, cols;

private:
  std::vector<double> data;
};

// CHECK-LABEL: function multiply(
void multiply(const Matrix &a, const Matrix &b, Matrix &c) {
  // CHECK: for i = 0 .. a.rows - 1
  // CHECK: for j = 0 .. b.cols - 1
  // CHECK: for k = 0 .. a.cols - 1
  // CHECK: read a.data[a.cols*i + k]
  // CHECK: read b.data[b.cols*k + j]
  // CHECK: write c.data[c.cols*i + j]
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.cols; ++j) {
      double s = 0;
      for (int k = 0; k < a.cols; ++k) s += a(i, k) * b(k, j);
      c(i, j) = s;
    }
}

struct Part {
  double x = 0;
  int k = 3;
  std::vector<float> v;
};
struct Whole : Part {
  // CHECK-LABEL: function Whole::Whole(
  // CHECK: write `this->k`
  // CHECK: write `this->m`
  // CHECK: alloc `this->v`[n]
  Whole(int n) : Part(), m(n) { v.resize(n); }
  int m;
};

// CHECK-LABEL: function main()
int main() {
  // CHECK: call Matrix::Matrix(100, 200, &a.rows, &a.cols, &a.data)
  Matrix a(100, 200), b(200, 300), c(100, 300);
  // CHECK: call multiply({{.*}}100, 300, 200, 20000, 60000, 30000, 300, &a.data, &b.data, &c.data)
  multiply(a, b, c);
  // A copy has elements of its own.
  // CHECK: alloc d.data[20000]
  // CHECK: read a.data[it]
  // CHECK: write d.data[it]
  Matrix d = a;
  // CHECK: call Whole::Whole(50, {{.*}}&w.k, &w.m, &w.v)
  Whole w(50);
  return c(1, 2) + d(1, 2) + w.k;
}
