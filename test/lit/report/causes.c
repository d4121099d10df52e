// Why each copy is made, what overlapping boxes hold, whose threads are neighbours, how much of a device works.
// RUN: %busfare analyze --details causes.c --function main --function partly | %FileCheck %s
// RUN: %busfare analyze causes.c --function main --function partly --format json > %t.json && %busfare schema report > %t.schema && %python %S/Inputs/check_json.py %t.schema %t.json
// RUN: %busfare analyze causes.c --function partly --format json | %FileCheck --check-prefix=JSON %s
// RUN: %busfare analyze --details causes.c --function boxes | %FileCheck --check-prefix=BOXES %s
// RUN: %busfare analyze --details causes.c --function rows | %FileCheck --check-prefix=ROWS %s
// RUN: %busfare analyze --details causes.c --function columns | %FileCheck --check-prefix=COLUMNS %s
// RUN: %busfare loops causes.c | %FileCheck --check-prefix=LOOPS %s

void *unseen_alloc(unsigned long long n, int bytes);

// CHECK-LABEL: Region causes.c:{{[0-9]+}}:main
// CHECK: w d2h
// CHECK-NEXT: unseen_alloc (opaque, line [[@LINE+2]]) may read it
int main(void) {
  double *w = (double *)unseen_alloc(1000, sizeof(double));
  for (int i = 0; i < 1000; i++)
    w[i] = i;
}

// CHECK-LABEL: Region causes.c:{{[0-9]+}}:partly
// CHECK: u h2d
// CHECK-NEXT: as the kernels may leave some of it
// CHECK: u d2h
// CHECK-NEXT: the caller sees it
// JSON: "cause": "kept"
// JSON: "cause": "caller"
void partly(int n, double *restrict u, const double *restrict v) {
  for (int i = 0; i < n; i++)
    if (v[i] > 0)
      u[i] = v[i];
}

// The formula counts what both boxes hold twice, the bytes once; n and m fit into the arrays.
// BOXES: f d2h
// BOXES-NEXT: 313,600 bytes, below 8*m*n+8*m+8*n+8, other functions may read it
// BOXES-NOT: 1024 (assumed)
// BOXES: 197 (assumed): boxes::m, boxes::n
double f[200][200], g[200][200];
void boxes(int n, int m) {
  for (int k = 2; k <= n; k++)
    for (int j = 2; j <= m + 2; j++)
      f[k][j] = g[k][j];
  for (int k = 2; k <= n + 2; k++)
    for (int j = 2; j <= m; j++)
      f[k][j] += g[k][j];
}

// ROWS: at launches each
// ROWS: parallel over i; 64 threads a block along i, not coalesced; occupancy 3 %,
// ROWS-NEXT: 8 of 108 multiprocessors busy
double b[500][500];
void rows(void) {
  for (int i = 0; i < 500; i++)
    for (int j = 1; j < 500; j++)
      b[i][j] = b[i][j] / b[i][j - 1];
}

// COLUMNS: 64 threads a block along i, coalesced
void columns(void) {
  for (int i = 0; i < 500; i++)
    for (int j = 1; j < 500; j++)
      b[j][i] = b[j][i] / b[j - 1][i];
}

// The variable that carries something is named, not the one that is only used again; and why a last value keeps a loop serial.
// LOOPS-LABEL: sweeps (
// LOOPS: t no u[i] -> u[{{.*}}]:
// LOOPS-LABEL: argmin (
// LOOPS: i no index: its last value may be read afterwards, and
void sweeps(int n, int steps, double *restrict p, double *restrict u) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n; i++)
      p[i] = u[i] - u[i - 1];
    for (int i = 1; i < n; i++)
      u[i] = p[i] * 0.5 + u[i];
  }
}

int argmin(int n, const double *a, double limit) {
  int index = 0;
  for (int i = 0; i < n; i++)
    if (a[i] < limit)
      index = i;
  return index;
}
