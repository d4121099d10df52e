// RUN: %busfare sections %s | %FileCheck %s
// Stores into all fields of an element, one after the other, write the element; those into some of them, or behind a
// branch, or into two elements, may have.
struct vec { float x, y; };
struct body { struct vec at; int id; };
struct odd { float x; float v[2]; };
void all(int n, struct body *b) {
  // CHECK: nest in all at
  // CHECK-NEXT: array
  // CHECK-NEXT: b write at most [0:n-1:1]
  // CHECK-NEXT: b must-write at least [0:n-1:1]
  for (int i = 0; i < n; i++) {
    b[i].at.x = 1;
    b[i].at.y = 2;
    b[i].id = i;
  }
}
void some(int n, struct body *b, const int *k) {
  // CHECK: nest in some at
  // CHECK-NEXT: array
  // CHECK-NEXT: b write at most [0:n-1:1]
  // CHECK-NEXT: k read
  for (int i = 0; i < n; i++) {
    b[i].at.x = 1;
    b[i].at.y = 2;
    if (k[i]) b[i].id = i;
  }
}
void two(int n, struct body *b) {
  // CHECK: nest in two at
  // CHECK-NOT: b {{.*}}must-write
  for (int i = 0; i < n; i++) {
    b[i].at.x = 1;
    b[i].at.y = 2;
    b[i + 1].id = i;
  }
}
void odd(int n, struct odd *b) {
  // CHECK: nest in odd at
  // CHECK-NOT: b {{.*}}must-write
  for (int i = 0; i < n; i++) {
    b[i].x = 1;
    b[i].v[0] = 2;
  }
}
