// RUN: %busfare loops %s -- | FileCheck %s
// RUN: %busfare analyze %s --format json -- | FileCheck %s --check-prefix=REPORT
// What no call takes is no kernel, and moves nothing; its loops have verdicts all the same.
static double in[300], out[300];
static void copy(const double *from, double *to, int n, int order) {
  if (order == 0)
    for (int i = 0; i < n; i++) to[i] = from[i]; // CHECK: 7 {{ *}}i {{ *}}yes
  else if (order == 1)
    for (int i = 0; i < n; i++) to[n - 1 - i] = 2 * from[i]; // CHECK: 9 {{ *}}i {{ *}}yes
  else
    for (int i = 1; i < n; i++) to[i] = to[i - 1] + from[i]; // CHECK: 11 {{ *}}i {{ *}}no
}
int main(void) {
  for (int i = 0; i < 300; i++) in[i] = i;
  copy(in, out, 300, 1);
  return out[5] > 0;
}
// REPORT: "kernels": [
// REPORT-NOT: untaken-branches.c:7"
// REPORT: untaken-branches.c:14"
// REPORT-NOT: untaken-branches.c:7"
// REPORT: untaken-branches.c:9"
// REPORT-NOT: untaken-branches.c:7"
// REPORT: "arrays": [
