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
// CHECK: BF011
