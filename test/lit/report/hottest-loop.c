// A region is called after the loop that does most of its work, not after the one that fills its arrays.
// RUN: %busfare analyze %s | %FileCheck %s
// CHECK: What to do
// CHECK-NEXT: {{PORT|KEEP|MEASURE}} hottest-loop.c:9, in relax
// CHECK: Region hottest-loop.c:9, in relax
// CHECK: It begins at line [[BEGIN:[0-9]+]] of hottest-loop.c; its id is hottest-loop.c:[[BEGIN]]:main.
static double u[1 << 20], v[1 << 20];
static void relax(int n) {
  for (int i = 1; i < n - 1; i++)
    v[i] = 0.5 * (u[i - 1] + u[i + 1]);
  for (int i = 1; i < n - 1; i++)
    u[i] = v[i];
}
int main(void) {
  for (int i = 0; i < 1 << 20; i++)
    u[i] = v[i] = i;
  for (int t = 0; t < 50; t++)
    relax(1 << 20);
  return u[17] > 3;
}
