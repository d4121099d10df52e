// RUN: %busfare extract %s -- 2>&1 | FileCheck %s
// What the front end does not follow is said and kept on the host.
void f(volatile int *flag, double *a, int n) {
  *flag = 1; // CHECK: host unsupported "volatile"
  __asm__ volatile("" ::: "memory"); // CHECK: host unsupported "inline assembly"
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      goto out; // CHECK: host unsupported "goto"
    a[i] = 1;
  }
out:
  a[0] = 2;
}
// CHECK: finding BF028 remark at 4:3
// CHECK: finding BF027 remark at 5:3
// CHECK: finding BF024 remark at 8:7
