// A bound of what is touched may lie behind the array's end, as 36 elements are no number of rows of n: the copy ends with the array.
// RUN: %busfare port %s --function pick | grep -v '//' | %FileCheck %s
static unsigned c[36];
unsigned local[6];

void pick(int n) {
  // CHECK: target update to(c[0:(35 < ({{.*}}) ? 35 : ({{.*}})) + 1])
  for (int i = 0; i < n; i += 3) {
    for (int j = 0; j <= 5; j++)
      local[j] = 2 * c[(i * 4 + j * 7 % 4) * n + i];
    for (int j = 0; j <= 5; j++)
      local[j] += c[(i * 4 + 1) * n];
  }
}
