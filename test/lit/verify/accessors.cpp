// What the loop's condition calls stands elsewhere in the text, and is part of the loop all the same.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// CHECK: verify: passed
// CHECK: {{[0-9]+}} kernels
#include <cstdio>
#include <cstdlib>

class Domain {
public:
  explicit Domain(int size) : count(size), x(new double[size]) {}
  ~Domain() { delete[] x; }
  double &time() { return now; }
  double &stop() { return end; }
  double &at(int i) { return x[i]; }

private:
  int count;
  double now = 0, end = 1;

public:
  double *x;
};

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 64;
  Domain *domain = new Domain(n);
  for (int i = 0; i < n; i++)
    domain->at(i) = rand() % 10;
  double *x = &domain->x[0];
  while (domain->time() < domain->stop()) {
    domain->time() += 0.25;
    for (int i = 0; i < n; i++)
      x[i] = x[i] * 0.5 + 1;
    for (int i = 0; i < n; i++)
      domain->at(i) += domain->time();
  }
  for (int i = 0; i < n; i++)
    std::printf("%g\n", domain->at(i));
  delete domain;
}
