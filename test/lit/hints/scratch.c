// RUN: %busfare loops %s | %python %S/../rules/Inputs/unwrap.py | %FileCheck %s

// Scratch memory that each iteration uses anew, by the user's word: independent, and what it holds outside does not matter.
// CHECK: plain (
// CHECK: k no line
// CHECK: hinted (
// CHECK: k yes private(i), array-private(line), if independent, if{{$}}
static void plain(int n, int m, const int *restrict order, double *restrict a, double *restrict line) {
  int i;
  for (int k = 0; k < n; k++) {
    for (i = 0; i < m; i++)
      line[order[i]] = a[k * m + i];
    for (i = 0; i < m; i++)
      a[k * m + i] = 0.5 * line[i];
  }
}
static void hinted(int n, int m, const int *restrict order, double *restrict a, double *restrict line) {
  int i;
  // busfare: independent temporary(line)
  for (int k = 0; k < n; k++) {
    for (i = 0; i < m; i++)
      line[order[i]] = a[k * m + i];
    for (i = 0; i < m; i++)
      a[k * m + i] = 0.5 * line[i];
  }
}
void both(int n, int m, const int *restrict order, double *restrict a, double *restrict b, double *restrict line) {
  plain(n, m, order, a, line);
  hinted(n, m, order, b, line);
}
