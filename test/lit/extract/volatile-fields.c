// A pointer field that is volatile is memory that others may change: what it leads to is not known, and setting it is the host's.
// RUN: %busfare extract %s | %FileCheck %s
// CHECK: function drop(
// CHECK: host unsupported "volatile"
// CHECK: write `m->table`
// CHECK: function fill(
// CHECK: for i = 0 .. n - 1
// CHECK: host unsupported "volatile"
// CHECK: read `m->table`
// CHECK: write `m->table.2`[?]
void let_go(void *memory);
struct map {
  int size;
  int *volatile table;
};
void drop(struct map *m) {
  let_go((void *)m->table);
  m->table = 0;
}
void fill(struct map *m, int n) {
  for (int i = 0; i < n; i++)
    m->table[i] = i;
}
