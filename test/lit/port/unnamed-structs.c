// Clang takes a field of a struct without a name for something to map, and does not compile the kernel: it stays on the host.
// RUN: %busfare port --kernels all %s -o %t.c 2>&1 | %FileCheck %s
// RUN: %clang -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -c %t.c -o %t.o
// CHECK: [[#@LINE+7]]:3: {{.*}}it reads a field of a struct that has no name
#include <stdio.h>
struct low {
  unsigned char k;
};
static double a[300], b[300];
int main(void) {
  for (int i = 0; i < 300; i++)
    a[i] = b[((struct low){(unsigned char)(i + 1)}).k];
  for (int i = 0; i < 300; i++)
    a[i] += 1;
  double s = 0;
  for (int i = 0; i < 300; i++)
    s += a[i];
  printf("%g\n", s);
  return 0;
}
