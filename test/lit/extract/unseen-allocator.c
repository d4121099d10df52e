// RUN: %busfare extract %s -- | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck %s --check-prefix=LOOPS
//
// What a function of another file returns is memory that others know of as well: overlapping nothing else is assumed,
// and said. In a loop one name would be many pieces of memory, and what got out before may come back.

void *new_field(unsigned long elements, int bytes);
double *find(const char *name, int n);
double *resize(double *old, int n);
void keep(double *where);

static void add(int n, double a[64][64], double b[64][64]) {
  // LOOPS: i {{ *}}yes {{ *}}if noalias(first,second)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += b[i][j];
}

// CHECK: function main()
// CHECK-DAG: array first : f64[?][64][64] given
// CHECK-DAG: array second : f64[?][64][64] given
// CHECK-DAG: array `third[i]` : f64[?] alias
// CHECK-DAG: array `fourth[i]` : f64[?] alias
int main(void) {
  double(*first)[64][64] = (double(*)[64][64])new_field(64 * 64, sizeof(double)); // CHECK: host opaque "new_field"
  double(*second)[64][64] = (double(*)[64][64])new_field(64 * 64, sizeof(double));
  // What it holds, and who else knows of it, is not known: the next unseen call may touch the first.
  // CHECK: host opaque "new_field"
  // CHECK-DAG: may write second[
  // CHECK-DAG: may write first[
  // CHECK: call add(
  add(64, *first, *second);
  for (int k = 0; k < 4; k++) {
    double *third = new_field(8, sizeof(double));
    for (int i = 0; i < 8; i++)
      third[i] = k;
  }
  double own[8];
  keep(own);
  double *fourth = new_field(8, sizeof(double));
  // LOOPS: i {{ *}}no {{.*}}fourth
  for (int i = 0; i < 8; i++)
    fourth[i] = own[7 - i];
  return 0;
}

// A name and a size give nothing away; an array of the same type may come back.
// CHECK-LABEL: function named(
// CHECK-DAG: array u : f64[?] given
// CHECK-DAG: array `v[i]` : f64[?] alias
// CHECK: host opaque "find"
// CHECK: may write u[?]
// CHECK: write u[i]
// LOOPS-LABEL: named (
// LOOPS: i {{ *}}yes {{ *}}if noalias(u,x)
// LOOPS: i {{ *}}no
void named(double *x, int n) {
  double *u = find("u", n);
  for (int i = 0; i < n; i++)
    u[i] = x[i];
  double *v = resize(x, n);
  for (int i = 0; i < n; i++)
    v[i] = x[n - 1 - i];
}
