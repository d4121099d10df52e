// Lengths in types are evaluated where the type is met: behind a pointer, in a cast, in what sizeof asks about.
// RUN: %busfare loops %s 2>/dev/null | %FileCheck %s
double *g;
static int keep(double *p) {
  g = p;
  return 4;
}

// CHECK-LABEL: behind (
// CHECK: [[#@LINE+5]] i no g -> t
double behind(void) {
  double t[100] = {0}, h[100] = {0};
  g = h;
  double (*w)[keep(t)] = 0;
  for (int i = 1; i < 100; i++) g[i] = t[i - 1];
  return t[7] + h[8] + (w == 0);
}

// CHECK-LABEL: casted (
// CHECK: [[#@LINE+5]] i no g -> t
double casted(void) {
  double t[100] = {0}, h[100] = {0};
  g = h;
  double first = ((double (*)[keep(t)])h)[0][1];
  for (int i = 1; i < 100; i++) g[i] = t[i - 1];
  return t[7] + h[8] + first;
}

// CHECK-LABEL: asked (
// CHECK: [[#@LINE+5]] i no g -> t
double asked(int n) {
  double t[100] = {0}, h[100] = {0}, w[n][n];
  g = h;
  unsigned long bytes = sizeof(w[keep(t) - 4]);
  for (int i = 1; i < 100; i++) g[i] = t[i - 1];
  return t[7] + h[8] + bytes;
}
