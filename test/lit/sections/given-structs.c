// RUN: %busfare analyze %s --function run --details | FileCheck %s
// The call gives the struct to unseen code, which reads `g->in.x`, although nothing between names it: what the kernel
// wrote comes back before it.
// CHECK: g->in.x  d2h     1x
// CHECK-NEXT: 8*n = 8,192 bytes, unseen (opaque, line 9) may read it
struct cells { int n; double *x, *y; };
struct grid { struct cells in; };
void unseen(struct grid *);
static void exchange(struct grid *g) { unseen(g); }
void run(struct grid *g, int n) {
  for (int i = 0; i < n; i++)
    g->in.x[i] = g->in.y[i] * 2;
  exchange(g);
  for (int i = 0; i < n; i++)
    g->in.y[i] = g->in.x[i] + 1;
}
