// RUN: %busfare sections %s --quiet | %FileCheck %s
//
// A pointer that stays what it is has sections, whatever it leads to.
struct node {
  double *v;
  struct node *next;
};
// CHECK-LABEL: nest in scale at {{.*}}:17:
// CHECK-NEXT: array
// CHECK: l->v {{ *}}read, write, must-write, {{ *}}exact {{ *}}[0:n-1:1]
// CHECK-LABEL: nest in scale at {{.*}}:19:
// CHECK: l->v {{ *}}write, must-write {{ *}}exact {{ *}}[3:n+2:1]
void scale(struct node *l, int n, const double *a) {
  while (l->next)
    l = l->next;
  double *p = l->v;
  for (int i = 0; i < n; i++)
    p[i] *= 2;
  for (int i = 0; i < n; i++)
    p[i + 3] = a[i];
}
