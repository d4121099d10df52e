// RUN: %busfare port --kernels all %s -o - 2>/dev/null | %FileCheck %s
// RUN: %busfare port --kernels all %s -o - -- -DMORE 2>&1 >/dev/null | %FileCheck --check-prefix=MORE %s
// The loops of a constructor are ported as those of a method that is called once. Objects that nobody's text makes count as well: here
// the vector makes its elements.
#include <cstdio>
#include <vector>

struct Field {
  std::vector<double> x;
  explicit Field(int n);
};
// CHECK-LABEL: Field::Field(int n) : x(n) {
// CHECK: auto *const busfare_this_x = this->x.data();
// CHECK-NEXT: #pragma omp target teams distribute parallel for
// CHECK: busfare_this_x[i] = 2 * i;
Field::Field(int n) : x(n) {
  for (int i = 0; i < n; i++)
    x[i] = 2 * i;
}

int main() {
  Field field(100);
#ifdef MORE
  // MORE: Field::Field is a member function that other calls use as well
  std::vector<Field> others;
  others.emplace_back(50);
  std::printf("%g\n", others[0].x[1]);
#endif
  double sum = 0;
  for (int i = 0; i < 100; i++)
    sum += field.x[i];
  std::printf("%g\n", sum);
}
