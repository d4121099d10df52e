// RUN: %busfare extract %s > %t && FileCheck %s < %t
// Structs whose fields have names of their own: what shares memory in them, and what unseen code gets at through them.

struct record {
  int low : 3, high : 5;
  int n;
  union { int whole; float real; };
  union { int bits; float value; } mixed;
  double *a;
};

// Bit fields of one struct are one piece, and so is a union; the other fields keep their own.
// CHECK-LABEL: function parts(other s, array `s->low` by-reference, array `s->n` by-reference,
// CHECK:   may write `s->low` at
// CHECK:   may write `s->low` at
// CHECK:   write `s->n` at
// CHECK:   may write `s->whole` at
// CHECK:   write `s->mixed` part 0 + 4 at
// CHECK:   read `s->low` at
// CHECK:   read `s->whole` at
int parts(struct record *s) {
  s->low = 1;
  s->high = 2;
  s->n = 3;
  s->real = 4;
  s->mixed.bits = 5;
  return s->low + s->whole + s->n;
}
// CHECK-LABEL: function parts_of_local() at
// CHECK:   call parts(?, &s.low, &s.n, &s.whole, &s.mixed) at
int parts_of_local(void) {
  struct record s;
  return parts(&s);
}

void keep(struct record *);
void look(const struct record *);
void other(void);

// CHECK-LABEL: function kept(
double kept(struct record *s) {
  double *a = s->a, x = a[0];
  keep(s);
// Whoever keeps the struct gets at what its pointers lead to.
// CHECK: host opaque "other"
// CHECK-DAG: may write `s->a`[?] at [[@LINE+1]]
  other();
  return x + a[1] + s->n;
}

// CHECK-LABEL: function looked_at(
double looked_at(struct record *s, int n) {
  double *a = s->a, x = a[0];
  look(s);
// The elements behind a pointer of a const struct are not const.
// CHECK: for i = 0 .. n - 1 at
// CHECK: host opaque "other"
// CHECK-DAG: may write `s->a`[?] at [[@LINE+2]]
  for (int i = 0; i < n; i++)
    other();
  return x + a[1] + s->n;
}

struct row { int length; double *x; };
struct rows { int n; struct row *row; };
// A pointer that unseen code could set in a loop, read again behind it: one name.
// CHECK-LABEL: function after_loop(
// CHECK: array `r->row` : struct<16>[?] parameter steady
// CHECK: read `r->row`[i] part 0 + 4
// CHECK: read `r->row`[0] part 0 + 4
double after_loop(struct rows *r) {
  double sum = 0;
  for (int i = 0; i < r->n; i++) {
    other();
    sum += r->row[i].length;
  }
  return sum + r->row->length;
}
