// The reason that is given is the one that holds: an index that wraps is loaded from nowhere, and rand() is in the way, not in[i].
// RUN: %busfare loops %s | %FileCheck %s
// CHECK: reasons-that-hold.c:13:3: note: iterations depend on each other: a[i mod
// CHECK-NOT: BF001
// CHECK-NOT: reasons-that-hold.c:25:{{[0-9]+}}: note: a subscript
#include <stdlib.h>
void scale(const unsigned char *in, unsigned char *out, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y * w + x] = in[y * w + x] / 2;
}
void wrap(int *restrict a) {
  for (int i = 0; i < 1000; i++)
    a[(unsigned char)i] = i;
}
int main(int argc, char **argv) {
  int w = 400, h = 300;
  if (argc > 2) {
    w = atoi(argv[1]);
    h = atoi(argv[2]);
  }
  unsigned char *in = malloc(w * h), *out = malloc(w * h);
  int a[256];
  for (int i = 0; i < w * h; i++)
    in[i] = rand() & 255;
  scale(in, out, w, h);
  wrap(a);
  return out[7] + a[7];
}
