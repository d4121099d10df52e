// Two elements of a row that the host fills cross in each iteration, however the mean over the iterations is taken.
// RUN: %busfare verify --kernels all %s -- -O2 | %FileCheck %s
// CHECK: verify: passed
// CHECK: row main h2d 40 40 equal
#include <stdio.h>
static int b[25];
static int s;
int main(int argc, char **argv) {
  for (int i = 0; i < 25; i++)
    b[i] = i % 7;
  int row[6];
  for (int i = 0; i < 5; i++) {
    int last = s;
    for (int k = 5; k >= 0; k--) {
      row[k] = 3 * b[i * 5 + i] + last;
      last = row[k] % 11;
    }
    s = last;
    for (int j = 4; j >= i; j--)
      b[i * 5 + j] = (row[i] + row[i + 1]) & 1023;
  }
  for (int i = 0; i < 25; i++)
    printf("%d\n", b[i]);
}
