// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
void sort(int lo, int hi, double *a) {
  if (lo + 1 >= hi) return;
  sort(lo, (lo + hi) / 2, a);
  // CHECK: BF010.c:[[#@LINE-1]]:3: remark: recursive call of sort; it stays on the host
}
