// The loop that does the work stands on the first screen, before a region that does next to nothing, with the reason why it stays.
// RUN: %busfare analyze %s --param n=2000 --param m=2000 | %FileCheck %s
// RUN: %busfare analyze %s --param n=2000 --param m=2000 --format json | %FileCheck %s --check-prefix=JSON
// RUN: %busfare analyze %s | %FileCheck %s --check-prefix=OPEN
// CHECK: {{^}}KEEP ON THE HOST:
// CHECK: That region does next to nothing of the work that is modelled
// CHECK: What to do
// CHECK-NEXT: STAYS loops-outside.c:[[#@LINE+15]], in main ({{100|99.*}} % of the work): iterations depend
// CHECK: KEEP loops-outside.c:[[#@LINE+12]], in main
// CHECK: What it rests on
// JSON: "serial": [
// JSON: "line": 23
// JSON: "work_share": {{1|0.99.*}}
// What the share rests on is named, though no region's price does.
// OPEN: What it rests on
// OPEN-NEXT: Sizes that nobody gave:
// OPEN-SAME: main::n = 1024
#include <stdio.h>
#include <stdlib.h>
static int align(const char *a, int n, const char *b, int m, int *h) {
  for (int j = 0; j <= m; j++)
    h[j] = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int d = h[(i - 1) * (m + 1) + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1), l = h[i * (m + 1) + j - 1] - 1;
      h[i * (m + 1) + j] = d > l ? d : l;
    }
  return h[n * (m + 1) + m];
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  int *h = malloc(sizeof(int) * (n + 1) * (m + 1));
  printf("%d\n", align(argv[3], n, argv[4], m, h));
  return 0;
}
