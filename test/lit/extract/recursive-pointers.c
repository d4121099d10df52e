// RUN: %busfare extract --quiet recursive-pointers.c | %FileCheck %s
//
// A recursive call changes what it writes: numbers here, and no pointer.
struct level {
  int n;
  double **rows, *x;
  struct level *next;
};
void smooth(struct level *a) {
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < 3; j++)
      a->x[i] += a->rows[i][j];
}
// CHECK-LABEL: function cycle(
// CHECK: call smooth({{.*}}`a->n`, &`a->x`, &`a->rows[]`)
// CHECK: host recursion "cycle"
// CHECK: call smooth({{.*}}`a->n{{.*}}`, &`a->x`, &`a->rows[]`)
void cycle(struct level *a) {
  smooth(a);
  if (a->next) {
    cycle(a->next);
    smooth(a);
  }
}
// This one also sets pointers.
// CHECK-LABEL: function moving(
// CHECK: host recursion "moving"
// CHECK-NOT: &`a->x`,
// CHECK-LABEL: function setNext(
void moving(struct level *a, double *x) {
  smooth(a);
  if (a->next) {
    moving(a->next, x);
    smooth(a);
    a->x = x;
  }
}
void setNext(struct level *a, double *x);
// So does what it calls.
// CHECK-LABEL: function alternate(
// CHECK: host recursion "alternate"
// CHECK-NOT: &`a->x`,
// CHECK: call setNext(
void alternate(struct level *a, double *x) {
  smooth(a);
  if (a->next) {
    alternate(a->next, x);
    smooth(a);
    setNext(a, x);
  }
}
void setNext(struct level *a, double *x) { a->next->x = x; }
