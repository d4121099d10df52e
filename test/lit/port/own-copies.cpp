// A directive whose threads change copies of what they were given stays, and what it stands in or around: the code behind it
// must not see that. Loops that OpenMP does not take for such (`int i{0}`) stay as well.
// RUN: %busfare port %s --kernels all -o %t.cpp 2> %t.err && %FileCheck %s < %t.err
// RUN: %clang -x c++ -O1 -std=c++17 -fopenmp %s -o %t.original -lstdc++ && env LD_LIBRARY_PATH=%llvmlib %t.original > %t.want
// RUN: g++ -O1 -std=c++17 -Wall -Wextra -Werror -fopenmp %t.cpp -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %clang -x c++ -O1 -std=c++17 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.cpp -o %t.clang -lstdc++
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.clang | cmp - %t.want
// REQUIRES: gcc, offload
// CHECK-DAG: the threads of a directive in it change copies of p
// CHECK-DAG: it stands inside an OpenMP construct whose threads have copies of w
// CHECK-DAG: the threads of a directive in it change copies of f
// CHECK-DAG: the threads of a directive in it change copies of t
// CHECK-DAG: it is no loop of the form OpenMP asks for
#include <cstdio>

struct Pair {
  double x, y;
};
static double a[64][500], b[64];
static void bump(double &value, int by) { value += by; }

static double ofStruct() {
  Pair p = {1, 2};
#pragma omp parallel for firstprivate(p)
  for (int i = 0; i < 64; i++) {
    p.x = i * 3;
    for (int j = 0; j < 500; j++)
      a[i][j] += p.x;
  }
  return p.x;
}

static double ofArray() {
  double w[2] = {4, 5};
#pragma omp parallel for firstprivate(w)
  for (int i = 0; i < 64; i++) {
    w[0] = i;
    for (int j = 0; j < 500; j++)
      a[i][j] += w[0] * w[1];
  }
  return w[0];
}

static double byReference() {
  double f = 7;
#pragma omp parallel for firstprivate(f)
  for (int i = 0; i < 64; i++) {
    double start = i;
    f = start;
    bump(f, i);
    for (int j = 0; j < 500; j++)
      a[i][j] += f;
  }
  return f;
}

static void inside() {
  for (int i = 0; i < 64; i++) {
    int t = 0;
#pragma omp parallel for firstprivate(t)
    for (int j = 0; j < 1; j++) {
      t += 1;
      a[i][j] += t;
    }
    b[i] = t;
  }
}

static void listed() {
  for (int i{0}; i < 64; i++)
    b[i] += i;
}

int main() {
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 500; j++)
      a[i][j] = i + j;
  double all = ofStruct() + 10 * ofArray() + 100 * byReference();
  inside();
  listed();
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 500; j++)
      all = all * 0.9 + a[i][j];
  for (int i = 0; i < 64; i++)
    all = all * 0.9 + b[i];
  std::printf("%.9g\n", all);
  return 0;
}
