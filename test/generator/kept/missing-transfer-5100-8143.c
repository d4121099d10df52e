#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p23_n = 1;
static long p23_c0[64];

void p23(void) {
  long *c = p23_c0;
  (void)c;
  int ok2 = 1;
  if (1.0) {
    ok2 = 0;
  }
  if (ok2) {
    for (int j = 0; j < p23_n; j++) {
      c[j] = 1;
    }
  }
  if (ok2) {
    for (int j = 0; j < p23_n; j++) {
      long t4 = 1;
      (void)t4;
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "p23") == 0)
    p23();
  return 0;
}
