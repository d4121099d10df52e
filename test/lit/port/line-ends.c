// Lines end in the port as they do in the source; a directive of several lines goes whole.
// RUN: sed 's/$/\r/' %s > %t.crlf.c
// RUN: %busfare port %s --kernels all -o %t.lf && %busfare port %t.crlf.c --kernels all -o %t.crlf
// RUN: %FileCheck %s --input-file %t.lf
// RUN: sed 's/$/\r/' %t.lf | cmp - %t.crlf
void add(int n, double *restrict a, const double *b) {
// CHECK: #pragma omp target teams distribute parallel for
// CHECK-NEXT: for (int i
#pragma omp target teams distribute \
    parallel for map(tofrom: a[0:n]) \
    map(to: b[0:n])
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}
