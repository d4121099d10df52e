// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
struct Cell { struct Cell *next; double value; };
void f(int n, struct Cell *cell) {
  for (int i = 0; i < n; i++) {
    cell->value = 0;
    cell = cell->next;
  }
  // CHECK: BF012.c:{{.*}}[BF012]
}
