// A function that returns an object with memory of its own makes it where the caller has it, and is walked there.
// RUN: %busfare extract %s | %FileCheck %s
#include <cstdio>
#include <vector>

struct Matrix {
  int rows, cols;
  std::vector<double> data;
  Matrix(int r, int c) : rows(r), cols(c), data(r * c) {}
  double &operator()(int i, int j) { return data[i * cols + j]; }
  double operator()(int i, int j) const { return data[i * cols + j]; }
};

Matrix operator*(const Matrix &a, const Matrix &b) {
  Matrix c(a.rows, b.cols);
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < b.cols; j++)
      for (int k = 0; k < a.cols; k++) c(i, j) += a(i, k) * b(k, j);
  return c;
}
// By itself it hands its memory on.
// CHECK-LABEL: function `operator*`(
// CHECK: host allocation "c.data is handed on"
// CHECK-NEXT: may read c.data[?]

// Which of two objects it gives is known only while it runs.
Matrix either(int n, bool which) {
  Matrix a(n, n), b(n, n);
  if (which) return a;
  return b;
}
// CHECK-LABEL: function either(
// CHECK-DAG: host allocation "a.data is handed on"
// CHECK-DAG: host allocation "b.data is handed on"

// CHECK-LABEL: function main(
// CHECK-DAG: array product.data : f64[350000] heap
// CHECK-DAG: array other.data : f64[?] alias
int main(int argc, char **) {
  Matrix a(500, 600), b(600, 700);
  Matrix product = a * b;
  // CHECK: read a.data[600*i
  // CHECK-NEXT: read b.data[
  // CHECK-NEXT: update product.data[
  double s = 0;
  for (int i = 0; i < 500; i++)
    for (int j = 0; j < 700; j++) s += product(i, j);
  // CHECK: read product.data[
  Matrix other = either(9, argc > 1);
  // CHECK: call either(
  // CHECK: read other.data[3*other.cols + 4]
  std::printf("%g %g\n", s, other(3, 4));
}
