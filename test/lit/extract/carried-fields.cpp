// RUN: %busfare extract %s | FileCheck %s
// A local struct whose fields a called function changes: an iteration carries them.

struct counter {
  int n;
  void bump() { n++; n += n; }
};
void restart(counter *);

// CHECK-LABEL: function bumped(
void bumped(double *a) {
  counter c;
  c.n = 0;
  for (int i = 0; i < 10; i++) {
    a[c.n] = 1; // CHECK: write a[?]
    c.bump();
  }
}
// CHECK-LABEL: function restarted(
void restarted(double *a) {
  counter c;
  c.n = 0;
  for (int i = 0; i < 10; i++) {
    a[c.n] = 1; // CHECK: write a[?]
    restart(&c);
  }
}
