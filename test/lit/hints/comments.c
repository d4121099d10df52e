// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare loops %s | %python %S/../rules/Inputs/unwrap.py | %FileCheck --check-prefix=LOOPS %s
// Where a hint may stand, and what its names mean there.

// CHECK-LABEL: function before(
// CHECK-SAME: hints(noalias(a, b) at 7:1 to 14)
// busfare: noalias(a, b)
__attribute__((noinline)) static
void before(int n, double *a, const double *b, const int *idx) {
  // busfare: independent
  #pragma omp parallel for
  for (int i = 0; i < n; i++) // CHECK: for i = 0 .. n - 1 at {{.*}} hints(independent at
    a[idx[i]] = b[i];         // CHECK: write a[? from idx]
}

// CHECK-LABEL: function behind(
void behind(int n, double *a) { // busfare: size(n=100)
  for (int i = 0; i < n; i++) { /* busfare: ignore(BF007) */ // CHECK: hints(ignore(BF007)
    a[i] = 0;
    a[0] = i;
  }
  /* busfare: independent */ for (int i = 0; i < n; i++) a[i] = 1; // CHECK: hints(independent
  for (int i = 0; i < n; i++) // busfare: temporary(a)
    a[i] = 2;
  // CHECK: hints(temporary(a)
}

// A name means what it means to the compiler where the hint stands.
struct Grid { int nx; double *u; };
// CHECK-LABEL: function shadows(
void shadows(struct Grid *g, int n, double *a) {
  double *p = a;
  // busfare: temporary(p) size(g->nx=64)
  for (int i = 0; i < g->nx; i++) p[i] = 0; // CHECK: hints(temporary(a) size(`g->nx` = 64)
  {
    int n = 2 * g->nx;
    double *a = g->u;
    // busfare: temporary(a) size(n=128)
    for (int i = 0; i < n; i++) a[i] = 0; // CHECK: hints(temporary(`g->u`) size(`g->nx` = 64)
  }
}

// LOOPS: before
// LOOPS: yes if independent
// LOOPS: finding suppressed by hints: BF007
