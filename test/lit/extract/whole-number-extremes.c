// RUN: %busfare loops %s -- | FileCheck %s
// `if (v[i] > best) best = v[i];` of whole numbers is a maximum, as of floating-point numbers, wherever a step compares
// and keeps the value that it is given.
int v[3000], out[3000];
short narrow[3000];
unsigned natural[3000];
double real[3000];
int greatest(void) {
  int best = v[0];
  for (int i = 1; i < 3000; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes {{.*}}reduction(max: best)
    if (v[i] > best) best = v[i];
  return best;
}
int turned_round(void) {
  int best = v[0], least = v[0];
  for (int i = 1; i < 3000; i++) { // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes {{.*}}reduction(max: best), reduction(min:
    if (best <= v[i]) { best = v[i]; }
    least = least < v[i] ? least : v[i];
  }
  return best - least;
}
long widened(void) {
  long best = -1;
  int small = -40000;
  for (int i = 0; i < 3000; i++) { // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes {{.*}}reduction(max: best, small)
    if (natural[i] > best) best = natural[i];
    if (narrow[i] > small) small = narrow[i];
  }
  return best + small;
}
int of_rows(int n, int m) {
  int best = 0;
  for (int i = 0; i < n; i++) {                          // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes {{.*}}reduction(max: best)
    int own = 0;
    for (int j = 0; j < m; j++)                          // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes {{.*}}reduction(max: own)
      if (v[i * m + j] > own) own = v[i * m + j];
    if (own > best) best = own;
  }
  return best;
}
void of_cells(int n, int m, int *restrict top, const int *restrict w) {
  for (int k = 0; k < m; k++)   // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes
    for (int i = 0; i < n; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes {{.*}}reduction(max: top)
      if (w[k * n + i] > top[k]) top[k] = w[k * n + i];
}
// Near misses: what is compared is not what is kept, or not in the end.
int cut(void) {
  signed char best = 0;
  for (int i = 0; i < 3000; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (v[i] > best) best = v[i];
  return best;
}
int rounded(void) {
  int best = 0;
  for (int i = 0; i < 3000; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (real[i] > best) best = real[i];
  return best;
}
unsigned other_sign(void) {
  unsigned best = 0;
  for (int i = 0; i < 3000; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (v[i] > best) best = v[i];
  return best;
}
int other_element(void) {
  int best = 0;
  for (int i = 0; i < 3000; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (v[i] > best) best = v[2999 - i];
  return best;
}
struct Bits {
  int few : 4;
};
int bits(void) {
  struct Bits best = {0};
  for (int i = 0; i < 3000; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (v[i] > best.few) best.few = v[i];
  return best.few;
}
// It is used on the way.
int kept(void) {
  int best = 0;
  for (int i = 0; i < 3000; i++) { // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (v[i] > best) best = v[i];
    out[i] = best;
  }
  return best;
}
int asked(void) {
  int best = 0;
  for (int i = 0; i < 3000; i++) { // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (v[i] > best) best = v[i];
    if (best > 10) out[i] = 1;
  }
  return best;
}
int where(void) {
  int best = 0, at = 0;
  for (int i = 0; i < 3000; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (v[i] > best) best = v[i], at = i;
  return best + at;
}
int bounding(void) {
  int best = 0, count = 0;
  for (int i = 0; i < 3000; i++) { // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    for (int j = 0; j < best; j++) count++;
    if (v[i] > best) best = v[i];
  }
  return best + count;
}
int subscripting(void) {
  int best = 0;
  for (int i = 0; i < 3000; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (out[best] > best) best = out[best];
  return best;
}
int behind_a_pointer(void) {
  int best = 0, *also = &best;
  for (int i = 0; i < 3000; i++) { // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (v[i] > best) best = v[i];
    out[i] = *also;
  }
  return best;
}
int two_ways(void) {
  int best = 0;
  for (int i = 0; i < 3000; i++) { // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    if (v[i] > best) best = v[i];
    if (v[i] < best) best = v[i];
  }
  return best;
}
// What has a closed form keeps it: a limit, no maximum.
void limited(int n, double *a) {
  for (int i = 0; i < n; i++) { // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes {{.*}}no two iterations touch
    int end = 4 * i + 4;
    if (end > n) end = n;
    for (int j = 4 * i; j < end; j++) a[j] = 1;
  }
}
