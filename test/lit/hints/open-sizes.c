// A hint is not refused by an example that only other sizes than those of its runs have: here more than 520 columns.
// RUN: %busfare loops %s | %FileCheck %s
// CHECK-NOT: error
// CHECK: rows
// CHECK: 10 i yes if independent
// What no size keeps away is refused.
// RUN: not %busfare loops %S/Inputs/independent-refused.c 2>&1 | %FileCheck %s --check-prefix=REFUSED
// REFUSED: error: independent is contradicted: {{.*}}a[i - 5]
void rows(double *g, int m, int n) {
  for (int i = 0; i < n; i++) // busfare: independent
    for (int j = 0; j < m; j++)
      g[i * 520 + j] = i * 100 + j;
}
