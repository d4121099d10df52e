// One statement of the source is not one node of the plan: what runs only sometimes, or is reached in several ways, has its copies
// where it runs, or no kernels around it.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress | %FileCheck %s
// CHECK: verify: passed
// 13 of the loops are kernels; the others stay on the host and say why.
// CHECK: 13 kernels
// CHECK: 0 survived
#include <stdio.h>
#define N 100
#define SET(array, at, value) array[at] = (value)
#define SET_IF(when, array, at, value) if (when) array[at] = (value)
#define FALLS __attribute__((fallthrough))
static double a[N], b[N], q[N], d[N], e[N], f[N], g[N], h[N], r[N], j[N], l[N], o[N], p[N];

int main(int argc, char **argv) {
  int c = argc > 5, m = argc, k = 0;
  double s = 0;
  (void)argv;
  // braceless
  for (int i = 0; i < N; i++)
    a[i] = i + 1;
  if (c)
    a[6] = 200;
  for (int i = 0; i < N; i++)
    s += a[i] * (i % 7 + 1);
  // other side
  for (int i = 0; i < N; i++)
    b[i] = i + 1;
  if (!c)
    b[5] = 1;
  else
    b[6] = 2;
  for (int i = 0; i < N; i++)
    s += b[i] * (i % 7 + 1);
  // chain
  for (int i = 0; i < N; i++)
    q[i] = i + 1;
  if (m == 7)
    q[1] = 5;
  else if (m == 1)
    q[2] = 6;
  else
    q[4] = 8;
  for (int i = 0; i < N; i++)
    s += q[i] * (i % 7 + 1);
  // choice
  for (int i = 0; i < N; i++)
    d[i] = i + 1;
  c ? (d[5] = 1) : (d[6] = 2);
  for (int i = 0; i < N; i++)
    s += d[i] * (i % 7 + 1);
  // and
  for (int i = 0; i < N; i++)
    e[i] = i + 1;
  (void)(c && (e[6] = 2) > 0);
  for (int i = 0; i < N; i++)
    s += e[i] * (i % 7 + 1);
  // or
  for (int i = 0; i < N; i++)
    f[i] = i + 1;
  (void)(m == 1 || (f[6] = 2) > 0);
  for (int i = 0; i < N; i++)
    s += f[i] * (i % 7 + 1);
  // comma
  for (int i = 0; i < N; i++)
    g[i] = i + 1;
  if (c)
    g[5] = 1, g[6] = 2;
  for (int i = 0; i < N; i++)
    s += g[i] * (i % 7 + 1);
  // macro in a branch
  for (int i = 0; i < N; i++)
    h[i] = i + 1;
  if (m == 1)
    SET(h, 7, 100);
  for (int i = 0; i < N; i++)
    s += h[i] * (i % 7 + 1);
  // macro that is a branch
  for (int i = 0; i < N; i++)
    r[i] = i + 1;
  SET_IF(c, r, 6, 200);
  for (int i = 0; i < N; i++)
    s += r[i] * (i % 7 + 1);
  // falls through
  for (int i = 0; i < N; i++)
    j[i] = i + 1;
  switch (m) {
  case 1:
    j[3] = 1;
    FALLS;
  case 2:
    j[4] = 2;
    break;
  case 3:
    j[5] = 3;
    FALLS;
  default:
    j[6] = 4;
  }
  for (int i = 0; i < N; i++)
    s += j[i] * (i % 7 + 1);
  // last case
  for (int i = 0; i < N; i++)
    l[i] = i + 1;
  switch (m) {
  case 2:
    l[3] = 1;
    FALLS;
  case 1:
    l[4] = 2;
  }
  for (int i = 0; i < N; i++)
    s += l[i] * (i % 7 + 1);
  // endless
  for (int i = 0; i < N; i++)
    o[i] = i + 1;
  for (;;)
    if (k < 3)
      o[k++] = 7;
    else
      break;
  for (int i = 0; i < N; i++)
    s += o[i] * (i % 7 + 1);
  // loop without braces
  for (int i = 0; i < N; i++)
    p[i] = i + 1;
  for (int j = 0; j < 5; j++)
    if (j % 2)
      p[j] = 9;
  for (int i = 0; i < N; i++)
    s += p[i] * (i % 7 + 1);
  printf("%g %d\n", s, k);
  return 0;
}
