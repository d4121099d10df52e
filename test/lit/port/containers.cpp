// RUN: %busfare port --kernels all %s -o - -- 2>%t | grep -v '^ *//' | %FileCheck %s
// RUN: %FileCheck --check-prefix=WHY %s < %t
// A container is no array: a pointer to its elements takes its place where it is mapped and in the loop. Not in one that asks more
// of it than elements and their number, nor where a macro stands for it.
#include <cstdio>
#include <vector>
#define THE_FIRST first

struct Pair {
  std::vector<double> left, right;
  void add();
};
// CHECK-LABEL: void Pair::add()
// CHECK: auto *const busfare_this_left = this->left.data();
// CHECK: auto *const busfare_this_right = this->right.data();
// CHECK: const __typeof__(left.size()) busfare_end_i = left.size();
// CHECK: #pragma omp target teams distribute parallel for
// CHECK-NEXT: map(alloc: busfare_this_left[0:
// CHECK: for (size_t i = 0; i < busfare_end_i; i++)
// CHECK-NEXT: busfare_this_left[i] += busfare_this_right[i] / (double)busfare_this_left_size;
void Pair::add() {
  for (size_t i = 0; i < left.size(); i++)
    left[i] += right[i] / (double)left.size();
}

// CHECK-LABEL: int main()
int main() {
  std::vector<double> first(100), second(100);
  // CHECK: __typeof__(second.data()[0]) *const busfare_second_data = second.data();
  // CHECK: #pragma omp target enter data map(alloc: busfare_second_data[0:100])
  // CHECK: auto *const busfare_second = second.data();
  // CHECK-NEXT: #pragma omp target teams distribute parallel for map(alloc: busfare_second[0:100])
  for (int i = 0; i < 100; i++) second[i] = i;
  // CHECK: for (int i = 0; i < 100; i++) THE_FIRST[i] = i;
  for (int i = 0; i < 100; i++) THE_FIRST[i] = i;
  // CHECK: for (int i = 0; i < 100; i++) second.at(i) += 1;
  for (int i = 0; i < 100; i++) second.at(i) += 1;
  // CHECK: Pair pair{first, second};
  // CHECK: #pragma omp target enter data map(alloc: busfare_pair_left_data[0:100])
  // CHECK: #pragma omp target update to(busfare_pair_left_data[0:100])
  Pair pair{first, second};
  for (int i = 0; i < 100; i++) pair.left[i] += pair.right[i];
  pair.add();
  double s = 0;
  for (int i = 0; i < 100; i++) s += pair.left[i] + second[i];
  std::printf("%g\n", s);
}
// WHY-DAG: a macro stands for a container it uses
// WHY-DAG: it calls at of an object that the device does not have
