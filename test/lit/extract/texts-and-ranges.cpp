// RUN: %busfare extract --quiet %s | %FileCheck %s
//
// Functions of texts, questions about a range, errno, and what the system is asked touch what they are given, and nothing else.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>
#include <sys/stat.h>
double *shared;
// CHECK-LABEL: function name(
// CHECK: host library "to_string" at
// CHECK-NOT: opaque
// CHECK-NOT: shared
// CHECK: host io "stat"
// CHECK-NEXT: may write info.st_size
// CHECK: write errno
// CHECK: host library "all_of"
// CHECK-NEXT: may read v[?]
// CHECK-NOT: may write
// CHECK: read info.st_size
// CHECK: write p[i]
void name(std::vector<double> &v, const std::string &s, int n, double *p) {
  std::string file = s + std::to_string(n) + "x";
  struct stat info = {};
  if (stat(file.c_str(), &info) != 0) errno = 0;
  bool zero = std::all_of(v.begin(), v.end(), [](double x) { return x == 0; });
  long size = info.st_size;
  for (int i = 0; i < n; i++) p[i] = zero ? 1 : size;
}
// One that changes what it is asked about, or asks others, is not followed.
// CHECK-LABEL: function asked(
// CHECK: opaque "all_of"
// CHECK: may write
bool asked(std::vector<double> &v) {
  return std::all_of(v.begin(), v.end(), [](double &x) { return (x = 0) == 0; });
}
// CHECK-LABEL: function turns(
// CHECK: for t = 0 .. steps - 1
// CHECK: read u[i - 1]
// CHECK: write v[i]
// CHECK: rotate u <- v, v <- u
// CHECK: write u[0]
void turns(int n, int steps, double *u, double *v) {
  int last = 3;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n; i++) v[i] = u[i - 1];
    u = std::exchange(v, u);
  }
  if (std::exchange(last, n) == 3) u[0] = 1;
}
