// Where the left of && or || is decided, what the right reads is read, or not, in no branch.
// RUN: %busfare extract %s -- | FileCheck %s
int f(int kind, int n) {
  int m = 0;
  int *where = &kind;
  switch (kind) {
  case 2:
    if (kind == -1 || kind < n) m = n;
    if (kind == 2 && kind < n) m++;
    if (kind == 2 || kind < n) m++;
    if (kind == -1 && kind < n) m = 9;
    break;
  case 3: *where = 2;
  }
  return m;
}
// CHECK-LABEL: function f(
// CHECK: if kind - 2 >= 0 and 2 - kind >= 0
// CHECK-NEXT: read kind at 8:9
// CHECK-NEXT: read kind at 8:23
// CHECK-NEXT: if n - kind - 1 >= 0 at 8:5
// CHECK: if n - kind - 1 >= 0 at 9:5
// CHECK: read kind at 10:9
// CHECK-NEXT: write m at 10:32
// CHECK-NEXT: read kind at 11:9
// CHECK-NEXT: else
