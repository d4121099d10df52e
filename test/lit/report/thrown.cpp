// Who calls a function that is looked at by itself may catch what it throws; a program's own main is seen to the end.
// RUN: %busfare analyze --function solve --param n=100000 --format json %s 2>/dev/null > %t.json
// RUN: %python -c "import json, sys; print(*json.load(open(sys.argv[1]))['regions'][0]['assumptions'])" %t.json | %FileCheck %s --check-prefix=ALONE
// RUN: %busfare analyze --format json %s 2>/dev/null > %t.json
// RUN: %python -c "import json, sys; print('assumptions:', *json.load(open(sys.argv[1]))['regions'][0]['assumptions'])" %t.json | %FileCheck %s --check-prefix=PROGRAM
// ALONE: unthrown({{.*}}thrown.cpp:[[#@LINE+7]]:14)
// PROGRAM: assumptions:
// PROGRAM-NOT: unthrown
#include <cstdio>
static double a[100000];
void solve(int n) {
  for (int i = 0; i < n; i++) a[i] = i * 0.5;
  if (n < 9) throw n;
  for (int i = 0; i < n; i++) a[i] *= a[i];
}
int main() {
  solve(100000);
  double s = 0;
  for (int i = 0; i < 100000; i++) s += a[i];
  std::printf("%g\n", s);
}
