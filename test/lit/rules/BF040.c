// RUN: %busfare port %s 2>&1 -o - | %FileCheck %s
#define HEAD for (int i = 0; i < 100; i++)
double a[100];
int main(void) {
  HEAD a[i] = i;
  // CHECK: BF040.c:[[#@LINE-1]]:3: {{.*}}[BF040]
  return a[7] > 3;
}
