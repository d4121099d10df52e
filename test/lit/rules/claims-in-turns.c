// What is ordered or atomic may depend on itself, and what a construct around makes private is private: no claim is refuted. A
// reduction that nobody names is.
// RUN: %busfare loops %s --format json -- -fopenmp | %FileCheck %s --implicit-check-not=BF014
int in_order(int n) {
  int x = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < n; i++) {
#pragma omp ordered
    x++;
  }
  return x;
}
int one_at_a_time(int n) {
  int x = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    x++;
  }
  return x;
}
double around(int n, const double *a) {
  double t, s = 0;
#pragma omp parallel private(t) reduction(+ : s)
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
      t = a[i];
      s += t * t;
    }
  }
  return s;
}
double missing(int n, const double *a) {
  double s = 0;
  // CHECK: BF014
#pragma omp parallel for
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
