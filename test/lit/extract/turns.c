// Arrays that are read and written in turns, without a pointer being swapped.
// RUN: %busfare extract %s | FileCheck %s
#include <stdlib.h>

// CHECK-LABEL: function chosen(
// CHECK:       for t = 0 .. steps - 1
// CHECK:         read u[i - 1]
// CHECK-NEXT:    read u[i + 1]
// CHECK-NEXT:    write v[i]
// CHECK:         rotate u <- v, v <- u
// CHECK-NEXT:  }
// CHECK-NEXT:  if (max(0, steps)) mod 2 - 1 >= 0
// CHECK-NEXT:    rotate u <- v, v <- u
// CHECK:       read u[0]
double chosen(double *u, double *v, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    double *from = t % 2 ? v : u, *to = t % 2 == 0 ? v : u;
    for (int i = 1; i < n - 1; i++) to[i] = from[i - 1] + from[i + 1];
  }
  return u[0];
}

// Ten turns: as before. What the loop set last may be either.
// CHECK-LABEL: function branched(
// CHECK:         read u[i]
// CHECK-NEXT:    write v[i]
// CHECK:         rotate u <- v, v <- u
// CHECK-NEXT:  }
// CHECK-NEXT:  read u[0]
// CHECK:       read from[0]
double branched(double *u, double *v, int n) {
  double *from, *to;
  for (int t = 0; t < 10; t++) {
    if (t & 1) {
      from = v;
      to = u;
    } else {
      from = u;
      to = v;
    }
    for (int i = 0; i < n; i++) to[i] = 2 * from[i];
  }
  return u[0] + from[0];
}

// In three turns, each second step, and one that data ends: not these.
// CHECK-LABEL: function others(
// CHECK-NOT:   rotate
// CHECK:       may-be(u, v)
// CHECK-NOT:   rotate
// CHECK-LABEL: function ended(
// CHECK:         rotate u <- v, v <- u
// CHECK-NEXT:  }
// CHECK-NOT:   rotate
// CHECK:       read u.{{[0-9]}}[0]
void others(double *u, double *v, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    double *to = t % 3 ? v : u;
    for (int i = 0; i < n; i++) to[i] = t;
  }
  for (int t = 0; t < steps; t += 2) {
    double *to = t % 2 ? v : u;
    for (int i = 0; i < n; i++) to[i] = t;
  }
}
double ended(double *u, double *v, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    double *from = t % 2 ? v : u, *to = t % 2 ? u : v;
    for (int i = 0; i < n; i++) to[i] = 2 * from[i];
    if (to[0] > 100) break;
  }
  return u[0];
}

// Integers that go back and forth; one of which data decides does not.
// CHECK-LABEL: function toggled(
// CHECK:       write a[t mod 2][i]
// CHECK:       write a[1 - (t.2 mod 2)][i.2]
// CHECK:       write a[t.3 mod 2][i.3]
// CHECK:       write a[t.4 mod 2][i.4]
// CHECK:       write a[t.5 mod 2][i.5]
// CHECK:       define other
// CHECK:       write a[other][i.6]
void toggled(double a[2][100], int steps, const int *data) {
  int now = 0, next = 1, flag = 0, ring = 0, bit = 0, other = 0;
  for (int t = 0; t < steps; t++, now = 1 - now)
    for (int i = 0; i < 100; i++) a[now][i] = 1;
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < 100; i++) a[next][i] = 1;
    next = 1 - next;
  }
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < 100; i++) a[flag][i] = 1;
    flag = !flag;
  }
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < 100; i++) a[ring][i] = 1;
    ring = (ring + 1) % 2;
  }
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < 100; i++) a[bit][i] = 1;
    bit = bit ^ 1;
  }
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < 100; i++) a[other][i] = 1;
    other = data[t] ? other : !other;
  }
}

// Halves of one array.
// CHECK-LABEL: function halves(
// CHECK:       read a[n*(t mod 2) + i]
// CHECK-NEXT:  write a[i - n*(t mod 2) + n]
void halves(double *a, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    double *from = t % 2 ? a + n : a, *to = t % 2 ? a : a + n;
    for (int i = 0; i < n; i++) to[i] = 2 * from[i];
  }
}

// Rows that are made one by one; a table whose other rows may be parts of the first has none.
// CHECK-LABEL: function numbered(
// CHECK:       array `u[]` : f64[2][n] heap distinct-rows
// CHECK:       read `u[]`[t mod 2][i.2]
// CHECK-NEXT:  write `u[]`[(t + 1) mod 2][i.2]
// CHECK:       read `u[]`[steps mod 2][0]
double numbered(int n, int steps) {
  double *u[2];
  u[0] = malloc(n * sizeof(double));
  u[1] = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) u[0][i] = i;
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++) u[(t + 1) % 2][i] = 2 * u[t % 2][i];
  return u[steps % 2][0];
}
// CHECK-LABEL: function parts(
// CHECK-NOT:   distinct-rows
double parts(int n) {
  double *u[2];
  u[0] = malloc(2 * n * sizeof(double));
  u[1] = u[0] + n;
  for (int i = 0; i < n; i++) u[1][i] = u[0][i];
  return u[1][0];
}
// Set twice: it may be any.
// CHECK-LABEL: function again(
// CHECK:       u[0]{{.*}} alias
double again(int n) {
  double *u[2];
  u[0] = malloc(n * sizeof(double));
  u[1] = malloc(n * sizeof(double));
  u[0] = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) u[0][i] = u[1][i];
  return u[0][0];
}
