// Methods of an object that nobody knows, which return a part of what they were called on.
// RUN: %busfare extract %s | %FileCheck %s
struct Node { int v; Node *next; Node *get(int k); };
Node *Node::get(int k) { v += k; return next; }
struct Table { Node *first; };
Node *find(Table *t, int n) { Node *p = t->first; while (n-- > 0) p = p->next; return p; }

// CHECK-LABEL: function grow(
void grow(Table *t, double *a, int n) {
  // CHECK: write a[i] at 13:{{[0-9]+}}
  // CHECK: call Node::get(1, ?, &?) at 15:3
  // CHECK-NEXT: call Node::get(2, ?, &?) at 15:3
  for (int i = 0; i < n; ++i) a[i] = 0;
  // CHECK-NEXT: write `find(t, n)->get(1)->get(2)`[0] part 0 + 4 at 15:3
  find(t, n)->get(1)->get(2)->v = 3;
}
