// What cannot be copied for one of its calls stays as it is: a function that keeps something from call to call, and one whose
// parameters stand behind its head. Products of complex numbers stay on the host.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// CHECK: verify: passed
// CHECK-DAG: step is called{{ *}}{{.*}}
// CHECK-DAG: keeps calls from
// CHECK-DAG: (K&R)
// CHECK-DAG: is complex
#include <complex.h>
#include <stdio.h>
#define N 120
static double a[N], b[N], c[N];
static double complex z[N];

static void step(double *x, int n) {
  static int calls;
  calls++;
  for (int i = 0; i < n; i++)
    x[i] += calls;
}

static void old(n, x)
    int n;
    double *x;
{
  int i;
  for (i = 0; i < n; i++)
    x[i] += 1;
}

int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i;
  step(a, N);
  step(b, N - 5);
  old(N, b);
  old(N - 1, b + 1);
  for (int i = 0; i < N; i++) {
    c[i] = 2 * i;
    z[i] = i * I;
  }
  double s = 0;
  double complex q = 1;
  for (int i = 0; i < N; i++)
    q *= 0.5 + c[i] * z[i] / (N * N);
  for (int i = 0; i < N; i++)
    s += a[i] * i + b[i] + c[i];
  printf("%.10g %.10g %.10g\n", s, creal(q), cimag(q));
  return 0;
}
