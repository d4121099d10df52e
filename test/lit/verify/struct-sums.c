// Sums of complex numbers, whose parts are fields: struct by struct, part by part, by a function, and C's own. The loops are kernels with a
// reduction that says how the struct is added up, so that the grid stays on the device between the sweeps and only sums come back.
// RUN: %busfare verify --mutants --kernels all %s -- -O2 | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck --check-prefix=LOOPS %s
// RUN: %busfare analyze --details %s | %FileCheck --check-prefix=REPORT %s
// RUN: %busfare port --kernels all %s 2>&1 | %FileCheck --check-prefix=PORT %s
// CHECK: verify: passed
// LOOPS: by_literal (
// LOOPS: j {{ *}}yes {{ *}}reduction(+: sum.im, sum.re)
// LOOPS: by_function (
// LOOPS: j {{ *}}yes {{ *}}reduction(+: sum.im, sum.re)
// LOOPS: by_part (
// LOOPS: j {{ *}}yes {{ *}}reduction(+: one.sum.re)
// Elements of an array are no fields: the loop stays on the host.
// LOOPS: by_element (
// LOOPS: j {{ *}}yes {{ *}}reduction(+: both.parts)
// LOOPS: c_complex (
// LOOPS: j {{ *}}yes {{ *}}reduction(+: sum)
// The real part of one step is used by the imaginary part of the next.
// LOOPS: product (
// LOOPS: j {{ *}}no
// Both fields are made of the old one: nothing is added up.
// LOOPS: crossed (
// LOOPS: j {{ *}}no
// LOOPS: scaled (
// LOOPS: j {{ *}}yes {{ *}}reduction(+: sum.re)
// REPORT-NOT: {{^  grid .*d2h  *[2-9]}}
// PORT-LABEL: {{^}}static void by_literal(
// PORT: {{^}}#pragma omp declare reduction(busfare_add_sum : __typeof__(sum) : omp_out.re += omp_in.re, omp_out.im += omp_in.im) initializer(omp_priv = {0})
// PORT-NEXT: {{^}}#pragma omp target teams distribute parallel for
// PORT-NEXT: reduction(busfare_add_sum: sum)
// PORT-LABEL: {{^}}static void by_element(
// PORT-NOT: {{^}}#pragma omp declare reduction
// PORT-LABEL: {{^}}static void c_complex(
// PORT: {{^}}#pragma omp declare reduction(busfare_add_sum : __typeof__(sum) : omp_out += omp_in) initializer(omp_priv = 0)
// The other fields are read in the loop, of which the threads' own structs know nothing.
// PORT-LABEL: {{^}}static void scaled(
// PORT-NOT: {{^}}#pragma omp declare reduction
// PORT-LABEL: {{^}}int main(
#include <complex.h>
#include <stdio.h>

#define N 4096
#define STEPS 5
typedef struct {
  double re, im;
} number;
#define ADD(a, b) \
  (number) { (a).re + (b).re, (a).im + (b).im }

static number grid[N];
static double complex other[N];

static void by_literal(int first) {
  number sum = {0.5, 0};
  for (int j = first; j < 1024; j++)
    sum = ADD(sum, grid[(5 * j) % N]);
  printf("%.10g %.10g\n", sum.re, sum.im);
}

static number add(number a, number b) { return (number){a.re + b.re, b.im + a.im}; }

static void by_function(int first) {
  number sum = {0, 0};
  for (int j = first; j < 1024; j++)
    sum = add(grid[(7 * j) % N], sum);
  printf("%.10g %.10g\n", sum.re, sum.im);
}

static void by_part(void) {
  struct {
    number sum;
    int steps;
  } one = {{1, 2}, 3};
  for (int j = 0; j < N; j++)
    one.sum.re -= grid[j].im;
  printf("%.10g %.10g %d\n", one.sum.re, one.sum.im, one.steps);
}

static void by_element(void) {
  struct {
    double parts[2];
  } both = {{1, 2}};
  for (int j = 0; j < N; j++) {
    both.parts[0] += grid[j].re;
    both.parts[1] += grid[j].im;
  }
  printf("%.10g %.10g\n", both.parts[0], both.parts[1]);
}

static void c_complex(void) {
  double complex sum = 1;
  for (int j = 0; j < N; j++)
    sum += other[j];
  printf("%.10g %.10g\n", creal(sum), cimag(sum));
}

static void product(void) {
  number sum = {1, 0};
  for (int j = 0; j < N; j++)
    sum = (number){sum.re * grid[j].re - sum.im * grid[j].im, sum.re * grid[j].im + sum.im * grid[j].re};
  printf("%.6g %.6g\n", sum.re, sum.im);
}

static void crossed(void) {
  number sum = {1, 2};
  for (int j = 0; j < N; j++)
    sum = (number){sum.im + grid[j].re, sum.re + grid[j].im};
  printf("%.10g %.10g\n", sum.re, sum.im);
}

static void scaled(void) {
  number sum = {0, 0.125};
  for (int j = 0; j < N; j++)
    sum.re += sum.im * grid[j].re;
  printf("%.10g %.10g\n", sum.re, sum.im);
}

int main(void) {
  for (int i = 0; i < N; i++) {
    grid[i].re = 1.0 / (i + 1);
    grid[i].im = 0.25 * (i % 7) - 0.5;
    other[i] = 0.5 * i + 0.25 * I;
  }
  for (int t = 0; t < STEPS; t++) {
    for (int i = 0; i < N; i++) {
      grid[i].re *= 0.999;
      grid[i].im *= 1.001;
    }
    by_literal(t);
    by_function(t);
  }
  by_part();
  by_element();
  c_complex();
  product();
  crossed();
  scaled();
  return 0;
}
