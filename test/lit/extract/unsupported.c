// RUN: %busfare extract %s -- 2>&1 | FileCheck %s
// What the front end does not follow is said and kept on the host.
void f(volatile int *flag, double *a, int n) {
  *flag = 1; // CHECK: host unsupported "volatile"
  __asm__ volatile("" ::: "memory"); // CHECK: host unsupported "inline assembly"
  // A loop made of a goto: each of its statements may touch whatever it names.
  int i = 0;
again:
  a[i] = 1; // CHECK: host unsupported "goto"
            // CHECK: may write a[?]
  i++;
  if (i < n) goto again;
  a[0] = 2; // CHECK: write a[0]
}
// CHECK-LABEL: function into(
void into(double *a, int n) {
  a[n] = 1; // CHECK: write a[n]
  if (n < 0) goto inside; // CHECK: host unsupported "goto"
  for (int i = 0; i < n; i++) {
  inside:
    a[i] = 0; // CHECK: may write a[?]
  }
}
// CHECK: finding BF028 remark at 4:3
// CHECK: finding BF027 remark at 5:3
