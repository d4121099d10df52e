// RUN: %busfare port %s --function search -o - 2>&1 | %FileCheck %s
// RUN: %busfare port %s --function tryIt -o /dev/null 2>&1 | %FileCheck --check-prefix=RETURN %s
// RUN: %busfare port %s --function main -o /dev/null 2>&1 | %FileCheck --allow-empty --check-prefix=MAIN %s

// A copy in front of what follows a jump would be jumped past: here the results come back behind the kernel.
double search(int steps) {
  enum { n = 1000 };
  static double a[n], b[n], c[n];
  double sum = 0;
  for (int i = 0; i < n; i++)
    b[i] = c[i] = sum = 0.5 * sum + i;
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      a[i] = b[i] * 2.0 + t;
    if (c[0] > 1.0) {
      sum += c[1];
      if (c[t] > 3.0)
        break;
      sum += c[2];
    }
    for (int i = 1; i < n; i++)
      a[i] = a[i] * 0.5 + a[i - 1];
  }
  for (int i = 0; i < n; i++)
    sum += 0.5 * sum + a[i];
  return sum;
}

// RETURN: not ported: a copy would have to stand where control may not come, behind a jump (return, break or continue) [BF040]
int tryIt(int n, double a[restrict n], double b[restrict n], const double c[restrict n]) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] * 2.0;
  if (c[0] > 1.0) {
    if (c[1] > 3.0)
      return 1;
    b[0] = 3.0;
  }
  for (int i = 0; i < n; i++)
    a[i] = b[i] * 3.0 + a[i];
  return 0;
}

// Nobody misses what main did not bring back before it returned.
int main(int argc, char **argv) {
  static double a[1000], b[1000];
  for (int i = 0; i < 1000; i++)
    a[i] = i * 2.0;
  if (argc > 1) {
    if (argv[1][0] == 'x')
      return 1;
    b[0] = 3.0;
  }
  for (int i = 0; i < 1000; i++)
    a[i] = b[i] * 3.0 + a[i];
  double sum = 0;
  for (int i = 0; i < 1000; i++)
    sum = 0.5 * sum + a[i];
  return sum > 1;
}

// MAIN-NOT: not ported
// CHECK: {{^}}  for (int t = 0
// CHECK: target teams distribute parallel for
// CHECK: {{^}}    for (int i = 0; i < n; i++)
// CHECK: target update from(a[0:1000])
// CHECK-NEXT: {{^}}    if (c[0] > 1.0) {
// CHECK-NOT: target update
// CHECK: {{^}}    for (int i = 1; i < n; i++)
