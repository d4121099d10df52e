// RUN: %busfare extract %s | FileCheck %s
// A global or a field that is first named in a loop whose calls change it: its value on entry is not that of an iteration.

extern int rows;
void timer(void);
struct sizes { int n; };
static int mine;
void set_mine(int n) { mine = n; }
void set_field(struct sizes *s, int n) { s->n = n; }
struct sizes whole;
void set_whole(int n) { whole.n = n; }

// CHECK-LABEL: function unseen_call(
// CHECK: define trips because "k < rows"
void unseen_call(double *a) {
  for (int k = 0; k < rows; k++) {
    a[k] = 1;
    timer();
  }
}
// CHECK-LABEL: function unseen_call_downward(
// CHECK: define trips because "k > rows"
void unseen_call_downward(double *a) {
  for (int k = 10; k > rows; k--) {
    a[k] = 1;
    timer();
  }
}
// CHECK-LABEL: function unseen_call_and_field(
// CHECK: define trips because "k < s->n"
void unseen_call_and_field(double *a, struct sizes *s) {
  for (int k = 0; k < s->n; k++) {
    a[k] = 1;
    timer();
  }
}
// CHECK-LABEL: function global(
// CHECK: define trips because "k < mine"
void global(double *a) {
  for (int k = 0; k < mine; k++) {
    a[k] = 1;
    set_mine(k);
  }
}
// CHECK-LABEL: function field_of_global(
// CHECK: define trips because "k < whole.n"
void field_of_global(double *a) {
  for (int k = 0; k < whole.n; k++) {
    a[k] = 1;
    set_whole(k);
  }
}
// CHECK-LABEL: function field(
// CHECK: define trips because "k < s->n"
void field(double *a, struct sizes *s) {
  for (int k = 0; k < s->n; k++) {
    a[k] = 1;
    set_field(s, k);
  }
}
// CHECK-LABEL: function subscript(
// CHECK: for k = 0 .. 9
// CHECK: write a[?]
void subscript(double *a, struct sizes *s) {
  for (int k = 0; k < 10; k++) {
    a[s->n] = 1;
    set_field(s, k);
  }
}
// CHECK-LABEL: function unchanged(
// CHECK: for k = 0 .. `s->n` - 1
void unchanged(int *a, struct sizes *s) {
  for (int k = 0; k < s->n; k++)
    a[k] = 1;
}
