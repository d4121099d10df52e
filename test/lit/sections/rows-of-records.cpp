// That a record's memory has as many elements as its fields say takes nothing away from the rows that a function's accesses have.
// RUN: %busfare sections rows-of-records.cpp --function fill | %FileCheck rows-of-records.cpp
// CHECK: nest in fill at
// CHECK: {{b\.data +write, must-write +exact +}}[0:m-1:1][0:n-1:1]
struct Buffer {
  int rows, columns;
  double *data;
  Buffer(int rows, int columns) : rows(rows), columns(columns), data(new double[rows * columns]) {}
  double &operator()(int i, int j) { return data[i * columns + j]; }
};
void fill(Buffer &b, int m, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) b(i, j) = i + j;
}
int main() {
  Buffer b(40, 30);
  fill(b, 20, 10);
  return (int)b(3, 4);
}
