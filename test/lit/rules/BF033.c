// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
struct Cell { unsigned solid : 1, kind : 7; };
union Word { int i; float f; };
void f(int n, struct Cell *cell, union Word *word) {
  for (int i = 0; i < n; i++) {
    cell[i].solid = 1;
    // CHECK: BF033.c:[[#@LINE-1]]:5: remark: bit field solid is a part of an element; the whole element is taken
    word[i].f = 1;
    // CHECK: BF033.c:[[#@LINE-1]]:5: remark: union member f is a part of an element
  }
}
