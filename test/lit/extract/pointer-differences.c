// RUN: %busfare extract %s -- | FileCheck %s
// Pointers are apart by elements of what they point to, whatever the array's are.
// CHECK-LABEL: function bytes(
void bytes(double *to, double *a) {
  double *end = a + 10;
  for (int i = 0; i < (char *)end - (char *)a; i++) to[i] = 1; // CHECK: for i = 0 .. 79
}
// CHECK-LABEL: function rows(
void rows(double *to, double *a) {
  double(*first)[10] = (double(*)[10])a, (*end)[10] = (double(*)[10])(a + 150);
  for (int i = 0; i < end - first; i++) to[i] = 1; // CHECK: for i = 0 .. 14
}
// CHECK-LABEL: function counted(
void counted(double *to, double *a, int n) {
  double *end = a + n;
  for (int i = 0; i < end - a; i++) to[i] = 1; // CHECK: for i = 0 .. n - 1
}
// The table is filled row by row, each from the one before.
// CHECK-LABEL: function table(
void table(double *a) {
  double *row[8];
  row[0] = a;
  for (int i = 1; i < 8; i++) // CHECK: for i = 1 .. 7
    row[i] = row[i - 1] + 10; // CHECK-NEXT: read row[i - 1]
                              // CHECK-NEXT: write row[i]
  row[3][0] = 1; // CHECK: write a[30]
}
// Sizes of variable arrays in a function that is followed in place are those of the call.
static void fill(double **at, int n) {
  double(*rows)[n] = (double(*)[n])*at;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < n; j++) rows[i][j] = 1;
  *at += 2 * n;
}
// CHECK-LABEL: function twice(
void twice(double *a) {
  double *p = a;
  fill(&p, 5);  // CHECK: write a[5*i + j]
  fill(&p, 20); // CHECK: write a[20*i.2 + j.2 + 10]
}
