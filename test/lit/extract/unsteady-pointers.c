// RUN: %busfare loops %s | %FileCheck %s
//
// Pointers that code in sight may set are not taken to be steady: what unseen code may call back, what is called by a pointer,
// what some path stores. And what a pointer in reach leads to is in reach.

struct grid { int n; double *u, *v, *w; };
void every(void (*f)(struct grid *), struct grid *g);
void report(struct grid *g);
void put(struct grid g);
void ping(void);
double *get(int n);

static void turn(struct grid *g) {
  double *t = g->u;
  g->u = g->v;
  g->v = t;
}
static void turn_later(struct grid *g) { turn(g); }

// CHECK-LABEL: called_back (
// CHECK: no {{ *}}g->u -> g->v: they may be the same memory
// CHECK: yes {{ *}}if steady(g->w)
void called_back(struct grid *g, int n) {
  every(turn_later, g);
  for (int i = 0; i < n; i++)
    g->u[i] = g->v[n - 1 - i];
  for (int i = 0; i < n; i++)
    g->w[i] = 0;
}

// CHECK-LABEL: by_pointer (
// CHECK: no {{ *}}g->v -> g->w: they may be the same memory
void by_pointer(struct grid *g, void (*f)(struct grid *), int n) {
  f(g);
  for (int i = 0; i < n; i++)
    g->w[i] = g->v[n - 1 - i];
}

// It was nothing, and is something now: not what it was on entry.
// CHECK-LABEL: made_anew (
// CHECK: yes {{ *}}no two iterations
// CHECK: no {{.*}}g->w{{.*}}: they may be the same memory
void made_anew(struct grid *g, int n) {
  for (int i = 0; i < n; i++)
    g->w[i] = 1;
  double *before = g->w;
  g->w = 0;
  report(g);
  for (int i = 0; i < n; i++)
    g->w[i] = before[n - 1 - i];
}

// CHECK-LABEL: on_one_path (
// CHECK: no {{ *}}a -> g->w: they may be the same memory
void on_one_path(struct grid *g, int n) {
  double a[100];
  if (n == 3)
    g->w = a;
  for (int i = 0; i < n; i++)
    g->w[i] = a[n - 1 - i];
}

// CHECK-LABEL: on_the_way_out (
// CHECK: no {{ *}}g->w -> h->w: they may be the same memory
void on_the_way_out(struct grid *g, struct grid *h, int n) {
  for (int k = 0; k < n; k++)
    if (k == 2) {
      *g = *h;
      break;
    }
  for (int i = 0; i < n; i++)
    g->w[i] = h->w[n - 1 - i];
}

// What unseen code was given by value, it may give back.
// CHECK-LABEL: by_value (
// CHECK: no {{ *}}it is not known which memory b[i]
void by_value(int n) {
  double a[100];
  struct grid g = {0};
  g.w = a;
  put(g);
  double *b = get(n);
  for (int i = 0; i < n; i++)
    b[i] = a[n - 1 - i];
}

// A pointer whose address unseen code is given.
// CHECK-LABEL: by_address (
// CHECK: no {{ *}}g->u -> g->w: they may be the same memory
void set(double **p, double *q);
void by_address(struct grid *g, int n) {
  set(&g->w, g->u);
  for (int i = 0; i < n; i++)
    g->w[i] = g->u[n - 1 - i];
}
