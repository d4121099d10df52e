// RUN: %busfare loops fixed-pointers.c | %FileCheck %s
//
// What a pointer out of memory leads to is not known; while it stays what it is, equal subscripts are one element.
struct node {
  double *v;
  struct node *next;
};
// CHECK-LABEL: scale (
// CHECK: i {{ *}}yes
// CHECK: i {{ *}}yes {{ *}}if noalias(a,l->v)
// CHECK: i {{ *}}no {{ *}}l->v[i + 1] -> l->v[i]
void scale(struct node *l, int k, int n, const double *a) {
  while (k--)
    l = l->next;
  double *p = l->v;
  for (int i = 0; i < n; i++)
    p[i] *= 2;
  for (int i = 0; i < n; i++)
    p[i] = a[i];
  for (int i = 0; i < n; i++)
    p[i + 1] = p[i];
}
// Each iteration has another one.
// CHECK-LABEL: each (
// CHECK: k {{ *}}no
// CHECK: i {{ *}}no {{ *}}it is not known where the pointer l->v
void each(struct node *l, int k, int n) {
  for (; k > 0; k--) {
    double *p = l->v;
    for (int i = 0; i < n; i++)
      p[i] *= 2;
    l = l->next;
  }
}
// Two pointers of which nothing is known may have been read from one place.
// CHECK-LABEL: twice (
// CHECK: i {{ *}}no {{.*}}they may be the same memory
void twice(struct node *l, int n) {
  while (l->next)
    l = l->next;
  double *p = l->v;
  l = l->next->next;
  double *q = l->v;
  for (int i = 0; i < n; i++)
    p[i] = q[i + 1];
}
// What the function itself put into memory may come out of it, and so may what it may have chosen.
// CHECK-LABEL: stored (
// CHECK: i {{ *}}no {{.*}}a -> l->v{{.*}}they may be the same memory
void stored(struct node *l, int k, int n, double *a) {
  struct node *first = l;
  first->v = a;
  while (k--)
    l = l->next;
  double *p = l->v;
  for (int i = 0; i < n; i++)
    p[i] = a[i + 1];
}
// CHECK-LABEL: chosen (
// CHECK: i {{ *}}no {{.*}}a -> p: they may be the same memory
void chosen(struct node *l, int k, int n, double *a) {
  double *p = k ? a : l->next->v;
  for (int i = 0; i < n; i++)
    p[i] = a[i + 1];
}
// CHECK-LABEL: merged (
// CHECK: i {{ *}}no {{.*}}a -> p: they may be the same memory
void merged(struct node *l, int k, int n, double *a) {
  double *p = l->next->v;
  if (k)
    p = a;
  for (int i = 0; i < n; i++)
    p[i] = a[i + 1];
}
struct list {
  int *keys, count;
  void **values;
  struct list *next;
};
// One that is read anew in each iteration leads to one place if nothing in the loop can set it.
// CHECK-LABEL: found (
// CHECK: i {{ *}}yes {{ *}}if noalias(a,l->keys{{.*}}), if noalias(l->keys
void found(struct list *l, int k, int n, const int *a) {
  while (k--)
    l = l->next;
  for (int i = 0; i < n; i++)
    l->keys[i] = a[i];
}
// It begins elsewhere for each r, not for each i.
// CHECK-LABEL: rows (
// CHECK: r {{ *}}no
// CHECK: i {{ *}}yes
void rows(struct list **l, int k, int n) {
  for (int r = 0; r < k; r++)
    for (int i = 0; i < n; i++)
      l[r]->keys[i] = 0;
}
void unseen(void);
void sets(struct list *l, int *a) { l->keys = a; }
// CHECK-LABEL: set_here (
// CHECK: i {{ *}}no
// CHECK-LABEL: set_there (
// CHECK: i {{ *}}no {{ *}}it is not known where the pointer l->keys
// CHECK-LABEL: set_by_bytes (
// CHECK: i {{ *}}no {{ *}}it is not known where the pointer l->keys
// CHECK-LABEL: copied (
// CHECK: i {{ *}}no
void set_here(struct list *l, int k, int n, int *a, struct list *m) {
  while (k--)
    l = l->next;
  for (int i = 0; i < n; i++) {
    l->keys[i] = 0;
    if (a[i])
      m->next->keys = a;
  }
}
void set_there(struct list *l, int k, int n, int *a) {
  while (k--)
    l = l->next;
  for (int i = 0; i < n; i++) {
    l->keys[i] = 0;
    sets(l, a);
  }
}
void set_by_bytes(struct list *l, int k, int n, char *bytes) {
  while (k--)
    l = l->next;
  for (int i = 0; i < n; i++) {
    l->keys[i] = 0;
    bytes[i] = 1;
  }
}
void copied(struct list *l, int k, int n, struct list *m) {
  while (k--)
    l = l->next;
  for (int i = 0; i < n; i++) {
    l->keys[i] = 0;
    *l = m[i];
  }
}
