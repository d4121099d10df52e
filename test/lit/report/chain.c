// RUN: %busfare analyze --details chain.c --machine k20-pcie2 --function follows --param n=8192 --param m=8192 | %FileCheck %s
// RUN: %busfare analyze chain.c --machine k20-pcie2 --function follows --param n=8192 --param m=8192 --format json | %FileCheck %s --check-prefix=JSON
// RUN: %busfare analyze chain.c --machine k20-pcie2 --function waits --param n=8192 --param m=8192 --format json | %FileCheck %s --check-prefix=WAITS
// Two kernels share their chunks if the second needs nothing that a later chunk of the first computes.
void follows(int n, int m, double a[restrict n][m], double b[restrict n][m], double t[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = a[i][j] * a[i][j] + 1;
  for (int k = 0; k < n; k++)
    for (int j = 0; j < m; j++)
      b[k][j] = t[k][j] * 3 + a[k][j];
}

// CHECK: The plan
// CHECK: streams, pinned host memory
// CHECK: The loop over i (line 6) is cut into chunks, each of which then runs through
// CHECK-NEXT: the kernel at line 9.
// JSON: "behind": [
// JSON-NEXT: 9
// JSON-NEXT: ],
// JSON-NEXT: "why_not": "",
// JSON: "copies_in": "[i.first:i.last:1][0:m-1:1]",
// JSON: "strategy": "streams",

void waits(int n, int m, double a[restrict n][m], double b[restrict n][m], double t[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = a[i][j] * a[i][j] + 1;
  for (int k = 0; k < n; k++)
    for (int j = 0; j < m; j++)
      b[k][j] = t[n - 1 - k][j] * 3 + a[k][j];
}
// WAITS: "behind": [],
// WAITS-NEXT: "why_not": "the kernel at line 29 cannot follow the one at line 26 chunk by chunk: t links its iterations to later ones of that kernel",
// WAITS: "strategy": "explicit",
