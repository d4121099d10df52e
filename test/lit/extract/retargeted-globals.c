// A pointer of this unit whose address an initialiser has put somewhere is set through it, also in a called function.
// RUN: %busfare loops %s | %FileCheck %s
// CHECK: 17 i no
// CHECK: 20 i no
// CHECK: 23 i no
#include <stdio.h>
static double a[200], b[200];
static double *gp = a, **gpp = &gp;
static double *gq, *gr;
static double **slot[2] = {&gq, &gr};
static int n = 10, *counts[1] = {&n};
static void set(int k, double *q) { *slot[k] = q; }
static void grow(int k) { *counts[k] = 120; }
int main(void) {
  for (int i = 0; i < 200; i++) a[i] = i, b[i] = 1;
  *gpp = a + 1;
  for (int i = 0; i < 100; i++) gp[i] = a[i] * 2;
  gq = b, gr = b;
  set(0, a + 1);
  for (int i = 0; i < 100; i++) gq[i] = a[i] * 2;
  struct { double *p; } s = {b}, *at[1] = {&s};
  at[0]->p = a + 2;
  for (int i = 0; i < 100; i++) s.p[i] = a[i] + 3;
  grow(0);
  for (int i = 0; i < n; i++) b[i] += 1;
  double x = 0;
  for (int i = 0; i < 200; i++) x += a[i] * i + b[i];
  printf("%.17g\n", x);
}
