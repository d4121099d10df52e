// RUN: %busfare sections %s | %FileCheck %s
// A subscript that surely leaves its row names an element of another; one that a condition keeps inside, or that stops short
// of the bound, does not.
static double a[40][30], b[40][32];
void fixed(void) {
  // CHECK: nest in fixed at
  // CHECK: a write at most [0:39:1][0:29:1]
  for (int i = 0; i < 39; i++) a[i][35] = i;
}
void flat(void) {
  // CHECK: nest in flat at
  // CHECK: a write at most [0:39:1][0:29:1]
  for (int j = 0; j < 1200; j++) a[0][j] = 1;
}
void before(void) {
  // CHECK: nest in before at
  // CHECK: a write at most [0:39:1][0:29:1]
  for (int i = 1; i < 40; i++)
    for (int j = 0; j < 30; j++) a[i][j - 1] = 1;
}
void guarded(void) {
  // CHECK: nest in guarded at
  // CHECK: a write{{.*}} [0:39:1][1:29:1]
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 30; j++)
      if (j < 29) a[i][j + 1] = 1;
}
void unrolled(void) {
  // CHECK: nest in unrolled at
  // CHECK: b write{{.*}} exact
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 32; j += 4) b[i][j] = b[i][j + 1] = b[i][j + 2] = b[i][j + 3] = 1;
}
