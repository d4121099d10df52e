// A label of a switch in an inner block is a jump into the block, which is not read: what it changes is not known.
// RUN: %busfare extract %s 2>/dev/null | %FileCheck %s
static double a[100], b[100];
int choose(int n) {
  int k = 3, sum = 0;
  // CHECK-LABEL: function choose(
  // CHECK: host unsupported
  // CHECK: may write a[?]
  // CHECK-NOT: for {{.*}} .. 2 at
  switch (n) {
  case 0: {
    b[1] = 2;
  case 1:
    a[5] = 7;
    k = 9;
  }
  }
  for (int i = 0; i < k; i++) sum += a[i] > b[i];
  return sum;
}
int copyBy4(const double *from, double *to, int n) {
  int rounds = (n + 3) / 4, at = 0;
  // CHECK-LABEL: function copyBy4(
  // CHECK: host unsupported
  switch (n % 4) {
  case 0:
    do {
      to[at] = from[at], at++;
  case 3:
      to[at] = from[at], at++;
  case 2:
      to[at] = from[at], at++;
  case 1:
      to[at] = from[at], at++;
    } while (--rounds > 0);
  }
  return at;
}
// One in a switch of its own is that switch's.
// CHECK-LABEL: function nested(
// CHECK-NOT: host
// CHECK: {{^}}}
int nested(int n, int m) {
  int k = 0;
  switch (n) {
  case 0:
    switch (m) {
    case 1: k = 5; break;
    default: k = 6;
    }
    break;
  case 1: k = 7;
  }
  return k;
}
