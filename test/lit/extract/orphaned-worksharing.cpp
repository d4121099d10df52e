// RUN: %busfare extract %s -- -std=c++17 -fopenmp | FileCheck %s
// A function that a parallel region calls may share out its loop there: `omp for` binds to the region around the call.
// Only what it does besides, to what other threads see, is done once a thread.
#include <vector>
static void clear(long n, std::vector<double> &weight) {
  double zero = 0;
#pragma omp for schedule(static)
  for (long i = 0; i < n; i++) weight[i] = zero;
}
static void add(std::vector<double> &into, const std::vector<double> &from) {
  long size = from.size();
#pragma omp for
  for (long i = 0; i < size; i++) into[i] += from[i];
}
static int turns;
static void counts(long n, std::vector<double> &weight) {
#pragma omp atomic
  turns++;
  clear(n, weight);
}
static void outer(long n, std::vector<double> &weight) { counts(n, weight); }
static long descend(long n, double *a) {
  if (n > 0) return descend(n - 1, a) + 1;
  *a += 1;
  return 0;
}
static void fill(long n, long &last) {
#pragma omp for
  for (long i = 0; i < n; i++) continue;
  last = n;
}
struct Model {
  virtual void step(long n, double *a) {
#pragma omp for
    for (long i = 0; i < n; i++) a[i] = 1;
  }
};

// CHECK-LABEL: function shares(
void shares(long n, std::vector<double> &weight, std::vector<double> &update, std::vector<double> &target) {
#pragma omp parallel
  {
    // CHECK-NOT: host threads
    // CHECK: call clear(
    clear(n, weight);
#pragma omp for
    for (long i = 0; i < n; i++) target[i] = weight[i] + 1; // CHECK: omp(for)
  }
#pragma omp parallel
  { add(weight, update); } // CHECK: call add(
}
// CHECK-LABEL: function countsToo(
void countsToo(long n, std::vector<double> &weight) {
#pragma omp parallel
  // CHECK: host threads "a parallel region of which every thread runs line [[#@LINE+1]]"
  outer(n, weight);
}
// CHECK-LABEL: function recurses(
void recurses(long n, double *a) {
#pragma omp parallel
  descend(n, a); // CHECK: host threads
}
// CHECK-LABEL: function byReference(
long byReference(long n) {
  long last = 0;
#pragma omp parallel
  fill(n, last); // CHECK: host threads
  return last;
}
// Which body runs is not known.
// CHECK-LABEL: function overridden(
void overridden(Model &model, long n, double *a) {
#pragma omp parallel
  model.step(n, a); // CHECK: {{host (threads|opaque)}}
}
