// RUN: %busfare loops %s -- -fopenmp 2>&1 | %FileCheck %s --implicit-check-not=BF014
// What is passed to a function inside one that is read where it is called belongs to each iteration: no clause could name it.
static inline double area(const double a, const double b) {
  double c = a + b;
  return c * a;
}
static double first(const double x[3]) { return area(x[0], x[1]) + x[2]; }
// CHECK: i yes
void f(int n, double *__restrict v, const double *__restrict x) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double own[3];
    for (int k = 0; k < 3; k++)
      own[k] = x[3 * i + k];
    v[i] = first(own);
  }
}
