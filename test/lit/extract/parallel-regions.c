// RUN: %busfare extract %s -- | FileCheck %s
// Of a parallel region, what is shared out runs once, and what each thread does to its own is as if one had done it.
void work(double *a);
// CHECK-LABEL: function plain(
void plain(int n, double *a) {
#pragma omp parallel
  {
    double t = n;
#pragma omp for
    for (int i = 0; i < n; i++) // CHECK: for i = 0 .. n - 1 at {{[0-9:]+}} omp("for" parallel private(t))
      a[i] = t;
  }
}
// CHECK-LABEL: function teams(
void teams(int n, double *a) {
#pragma omp target
#pragma omp teams
#pragma omp distribute parallel for
  for (int i = 0; i < n; i++) // CHECK: for i = 0 .. n - 1 at {{[0-9:]+}} omp(distribute parallel for)
    a[i] = 1;
}
// CHECK-LABEL: function counted(
void counted(int n, double *a) {
  int threads = 0;
#pragma omp parallel
  { // CHECK: for thread = 0 .. threads - 1
    // CHECK-NEXT: host threads "a parallel region of which every thread runs line [[#@LINE+2]]"
#pragma omp atomic
    threads++;
#pragma omp for
    for (int i = 0; i < n; i++) a[i] = 0; // CHECK: may write a[i]
  }
  // What all of them did to it is not known.
  // CHECK: define threads.2 because
  // CHECK: for i.2 = 0 .. threads.2 - 1
  for (int i = 0; i < threads; i++) a[i] = 1;
}
// CHECK-LABEL: function called(
void called(double *a) {
#pragma omp parallel
  work(a); // CHECK: host opaque "work"
}
// What is private in it is not what it was outside.
// CHECK-LABEL: function privates(
void privates(double *a) {
  int n = 40, m = 50;
#pragma omp parallel private(n)
  {
    n = 10;
#pragma omp for
    for (int i = 0; i < 10; i++) a[i] += n;
  }
  for (int i = 0; i < n; i++) a[i] = 0; // CHECK: for i.2 = 0 .. n - 1
  for (int i = 0; i < m; i++) a[i] = 0; // CHECK: for i.3 = 0 .. 49
}
