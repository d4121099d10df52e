// RUN: cd %S && %busfare loops fixed-pointers.c | %FileCheck %s
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
// CHECK: i {{ *}}no
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
