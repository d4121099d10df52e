// What a std::function in a container calls may be any function that is not called otherwise: its loops may do most.
// RUN: %busfare analyze %s | %FileCheck %s
// CHECK: MEASURE FIRST: how much of the work is not priced is not known.
// CHECK-NEXT: held-in-containers.cpp:[[#]], in Model::run ({{.*}}): whether the call
// CHECK-NEXT: of operator() at held-in-containers.cpp:[[#]]:10 is one of Model::run is not
// CHECK-NEXT: known. Give: --function Model::run.
// CHECK-NOT: KEEP
// CHECK-NOT: PORT
#include <functional>
#include <map>
#include <vector>
struct Model {
  std::vector<double> a;
  double run(int n) const {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * a[i];
    return sum;
  }
};
int main(int argc, char **argv) {
  std::map<int, std::function<double(int)>> kernels;
  kernels[1] = [](int n) {
    Model model;
    model.a.resize(n);
    return model.run(n);
  };
  return kernels[argc](1000000) > 3;
}
