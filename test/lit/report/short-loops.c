// A loop of a dozen turns in a serial loop is no kernel: it takes less time than a launch. Beside kernels that work on the same
// array it is one.
// RUN: %busfare analyze --details %s --function run --iterations 100000 | %FileCheck %s
// RUN: %busfare analyze --details %s --function beside | %FileCheck --check-prefix=BESIDE %s
// CHECK: STAYS short-loops.c
// CHECK: {{^}} short-loops.c:[[#@LINE+10]]
// CHECK-SAME: kept
// CHECK-NEXT: so few turns take less time than a launch
// CHECK: No region: the parallel loops stay on the host
// BESIDE: The 2 kernels
// BESIDE-DAG: short-loops.c:36
// BESIDE-DAG: short-loops.c:38
static int pick(const double *dist, int count, double roll) {
  double running = 0;
  int found = count - 1;
  for (int k = 0; k < count; k++)
    running += dist[k];
  for (int k = count - 1; k > 0; k--) {
    running -= dist[k];
    if (roll > running) {
      found = k;
      break;
    }
  }
  return found;
}
unsigned long run(const double dist[12], int turns) {
  unsigned long sum = 0, seed = 7;
  for (int t = 0; t < turns; t++) {
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    sum += pick(dist, 12, (double)(seed >> 11) / 9007199254740992.0);
  }
  return sum;
}
void beside(double a[1000000], int turns) { for (int t = 0; t < turns; t++) {
    for (int i = 0; i < 1000000; i++)
      a[i] = a[i] * 0.5 + 1;
    for (int i = 0; i < 12; i++)
      a[i] = i;
  }
}
