// RUN: %busfare sections given-in-calls.c | %FileCheck %s --check-prefix=SECTIONS
// RUN: %busfare loops given-in-calls.c | %FileCheck %s --check-prefix=LOOPS
// RUN: %busfare analyze --function top given-in-calls.c | %FileCheck %s
//
// Each call is given other memory, perhaps: the last has to be whole before the next one begins. What a caller lent to
// unseen code may come back.
double *get(int n);
void keep(double *p);

static void step(double *u, int n) {
  double *w = get(n);
  // LOOPS: i {{ *}}yes {{ *}}if noalias(w,u)
  for (int i = 0; i < n; i++)
    w[i] = u[i] * 2;
  for (int i = 0; i < n; i++)
    u[i] += w[i];
}
// SECTIONS-LABEL: nest in top
// SECTIONS: w {{ *}}read, write, live-in {{ *}}at most {{ *}}(whole)
// CHECK: w {{ *}}d2h {{ *}}10x
// CHECK-NEXT: 8*n
// CHECK-SAME: needed at line [[#@LINE+4]]
void top(double *u, int n) {
  u[0] = 0;
  for (int t = 0; t < 10; t++)
    step(u, n);
}

static void uses(double *u, int n) {
  double *w = get(n);
  // LOOPS: i {{ *}}no {{ *}}it is not known where the pointer w
  for (int i = 0; i < n; i++)
    w[i] = u[i] * 2;
}
void lends(int n) {
  double own[1000];
  keep(own);
  uses(own, n);
}
