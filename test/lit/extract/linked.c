// RUN: %busfare extract %s -- 2>&1 | FileCheck %s
// Pointers loaded from memory may point anywhere, unless they are rows of a table (row-pointers.c).
struct cell { double value; };
void cells(int n, struct cell **m) {
  for (int i = 0; i < n; i++)
    m[i]->value = 1; // CHECK: read m[i]
                     // CHECK-NEXT: may write `m[i]`[?]
}
struct node { struct node *next; double value; };
double sum(struct node *p) {
  double s = 0;
  while (p) { // CHECK: for it = 0 .. trips - 1 while
    s += p->value;
    p = p->next;
  }
  return s;
}
// CHECK: BF012
