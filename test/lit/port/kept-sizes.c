// RUN: %busfare port %s --function root -o - 2>&1 | %FileCheck %s
// RUN: %busfare port %s --function later -o - 2>&1 | %FileCheck --check-prefix=LATER %s

// What the callee calls n has no name in root. It is kept where there is one, for what comes behind: device memory must not
// begin in root before the call, by a size that is set in it.
static void work(double *d, int n) {
  for (int i = 0; i < n; i++)
    d[i] = 2.0 * d[i] + i;
}

double root(double *d, const double *given) {
  work(d, given[0]);
  return d[3];
}

// CHECK: static long busfare_given_0;
// CHECK: {{^}}static void work(
// CHECK: busfare_given_0 = n;
// CHECK: target enter data map(alloc: d[0:n])
// CHECK: {{^}}double root(
// CHECK-NEXT: {{^}}  work(d, given[0]);
// CHECK-NEXT: target exit data map(delete: d[0:busfare_given_0])

// Stores that lead nobody knows where do not reach `size`, which nobody outside can name.
static int size = 19;
static unsigned numbers[19];

struct cell { unsigned *out; int n; };
static void step(struct cell *cell) {
  for (int i = 8; i <= cell->n - 3; i++)
    cell->out[i + 1] = cell->out[i] + 3 * cell->out[i + 2];
}

static void fill(unsigned *out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = 3 * i;
}

unsigned later(unsigned *given) {
  unsigned *mine = numbers;
  struct cell cells[2];
  cells[1] = (struct cell){given, size};
  step(&cells[1]);
  fill(mine, size);
  return numbers[2];
}

// LATER: {{^}}unsigned later(
// LATER: target enter data map(alloc: {{mine|numbers}}[0:size])
// LATER-NEXT: {{^}}  fill(mine, size);
