// Of two kernels on the two sides of a branch one runs a step, however its caller chooses.
// RUN: %busfare analyze %s | %FileCheck %s
// CHECK: exclusive-branches.c:[[#@LINE+5]] {{ *}}50
// CHECK: exclusive-branches.c:[[#@LINE+7]] {{ *}}50
static double a[400000], b[400000];
static void sweep(int direction) {
  if (direction == 1) {
    for (int i = 0; i < 400000; i++)
      a[i] = a[i] * 1.5 + b[i];
  } else if (direction == 2) {
    for (int i = 0; i < 400000; i++)
      b[i] = b[i] * 1.5 + a[i];
  }
}
static void step(int odd) { sweep(odd ? 1 : 2); }
int main(void) {
  for (int i = 0; i < 400000; i++)
    a[i] = i, b[i] = 2 * i;
  for (int s = 0; s < 100; s++)
    step(s % 2);
  double sum = 0;
  for (int i = 0; i < 400000; i++)
    sum += a[i] + b[i];
  return sum > 1;
}
