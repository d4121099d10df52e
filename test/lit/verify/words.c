// RUN: %busfare verify %s | %FileCheck %s
// CHECK: verify: passed
// Numbers that do not fit into their type, as the processor cuts them.
#include <stdio.h>
#define N 640
static double a[N], b[N], big[5000];
static unsigned char narrow[N];
struct bits { int few : 3; };
int main(void) {
  for (int i = 0; i < N; i++) a[i] = i % 9, b[i] = 0, narrow[i] = (unsigned char)(i * 7);
  unsigned none = 0xffffffffu;
  for (unsigned i = none + 1; i < 60; i++) b[i] += a[i] * 2; // from 0
  unsigned long wide = (1UL << 33) + 20;
  unsigned cut = wide;
  for (unsigned i = cut; i < 60; i++) b[i] += a[i] * 3;
  unsigned phase = 0;
  for (int i = 0; i < 64; i++) {
    if (phase < 0x80000000u) b[i] += 1;
    phase += 100000000u;
  }
  for (unsigned i = 0; i < 5000; i++) big[i] = i * 1000000u >= 4000000000u;
  struct bits few;
  int kept = (few.few = 12); // -4
  for (int i = 0; i < 8 + kept; i++) b[i + 70] = a[i];
  unsigned char turn = 0;
  for (int i = 0; i < N; i++, turn++) b[turn] += i; // 256 of them
  int many = 0;
  for (int i = -1; i < 64u; i++) many++; // never: -1 is huge
  unsigned char most = 0;
  static const int values[6] = {3, 300, 5, 259, 9, 256};
  for (int i = 0; i < 6; i++) most = most > values[i] ? most : values[i]; // 300 becomes 44, and so on
  double sum = 0;
  for (int i = 0; i < N; i++) sum += b[i] * (i + 1);
  for (int i = 0; i < 5000; i++) sum += big[i] * i;
  printf("%g %d %d %d %u\n", sum, kept, many, most, phase);
}
