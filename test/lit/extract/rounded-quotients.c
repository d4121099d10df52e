// RUN: %busfare extract %s -- | %FileCheck %s
//
// Quotients rounded down or up for either sign, as loop generators write them, are one formula; so are their minima.

#define FLOOR(x, d) ((x) < 0 ? -((-(x) + (d)-1) / (d)) : (x) / (d))
#define CEILING(x, d) ((x) < 0 ? -((-(x)) / (d)) : ((x) + (d)-1) / (d))
#define SMALLER(x, y) ((x) < (y) ? (x) : (y))

void tiles(int n, double *a) {
  // CHECK-LABEL: function tiles
  for (int t = CEILING(n - 9, 4); t <= FLOOR(n - 1, 16); t++) // CHECK: for t = floor((n + 2) / 4) - 2 .. floor((n + 15) / 16) - 1
    for (int i = 16 * t; i <= SMALLER(16 * t + 15, n - 1); i++) // CHECK: for i = 16*t .. min(n - 1, 16*t + 15)
      a[i] = 0;
}

// A sign that is known, scaled or not, leaves one side.
void known_sign(int n, double *a) {
  // CHECK-LABEL: function known_sign
  if (n >= 1)
    for (int t = 0; t <= ((n - 1) * 8 < 0 ? 7 : (n - 1) / 8); t++) // CHECK: for t = 0 .. floor((n + 7) / 8) - 1
      a[t] = 0;
}

// Another rounding is another value.
void not_the_same(int n, double *a) {
  // CHECK-LABEL: function not_the_same
  for (int t = 0; t <= (n - 9 < 0 ? -((9 - n) / 4) : (n - 9) / 4); t++) // CHECK-NOT: for t = 0 .. floor(
    a[t] = 0;
}
