// RUN: %busfare extract %s -- | FileCheck %s
// What the code takes a size to be unless arguments or input say otherwise.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct options { int nx, its, level, blocks; };

static void parse(int argc, char **argv, struct options *o) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "-n")) o->nx = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "-i")) o->its = atoi(argv[i + 1]);
    o->level = atoi(argv[i]);
  }
  if (o->blocks == 0) o->blocks = 8;
}

static int readSize(FILE *f) { int n = 7; fscanf(f, "%d", &n); return n; }

int main(int argc, char **argv) {
  struct options o;
  o.nx = 30, o.its = 50, o.level = 2, o.blocks = 0;
  // CHECK: call parse
  // CHECK-DAG: define o.its usually 50 because
  // CHECK-DAG: define o.nx usually 30 because
  parse(argc, argv, &o);
  int m = 500, plain = 10, either = 0, sign = 3;
  if (argc > 3) m = atoi(argv[3]); // CHECK: define m usually 500 because
  if (argc > 4) plain = 20;        // CHECK: define plain usually 10 because
  // Which of two known values it is, input decides.
  if (argv[0][0] == 'x') either = 100; // CHECK: define either because
  else either = 200;
  int n = readSize(stdin); // CHECK: define n because
  while (sign < n) sign *= 2; // CHECK: define sign.2 because
  double *a = malloc(sizeof(double) * o.nx * m * plain * n), s = 0;
  for (int t = 0; t < o.its + o.level; t++)
    for (int i = 0; i < o.nx * 2; i++)
      for (int j = 0; j < m + plain + either + n + sign; j++) a[i * m + j] = a[i * m + j] * 0.5 + t;
  for (int i = 0; i < o.blocks; i++) s += a[i];
  printf("%g\n", s);
}
