// RUN: %busfare extract --quiet elements-given.c | %FileCheck %s
//
// A function that knows one struct is given an element of a table of them, or a part of one: its pointers are rows, and its
// integers are read where it is called.
struct field {
  int rows, columns;
  double *data;
};
struct tile {
  int low, high;
  struct field u, v;
};
struct grid {
  struct tile *tiles;
  int n;
};
void copy(int low, int high, struct field *u, const struct field *v) {
  for (int j = low; j < high; j++)
    for (int i = 0; i < u->columns; i++)
      u->data[j * u->columns + i] = v->data[j * v->columns + i];
}
// CHECK-LABEL: function revert(
// CHECK: read `g->tiles`[t] part 12 + 4
// CHECK: define `one->u.columns`
// CHECK: call copy(`one->low`, `one->high`, ?, ?, `one->u.columns`, `one->v.columns`, &`g->tiles[].u.data`[t], &`g->tiles[].v.data`[t])
void revert(struct grid *g) {
  for (int t = 0; t < g->n; t++) {
    struct tile *one = &g->tiles[t];
    copy(one->low, one->high, &one->u, &one->v);
  }
}
