// A table whose elements are tables that a function makes: what those lead to is not one array of rows.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare analyze %s | %FileCheck --check-prefix=REPORT %s
// CHECK: function make_list(
// CHECK: for k =
// REPORT: Nothing was left out.
#include <stdlib.h>
double *make_row(long n) { return calloc(n, sizeof(double)); }
double **make_table(long n) {
  double **rows = malloc(n * sizeof *rows);
  if (rows != NULL)
    for (long r = 0; r < n; r++)
      rows[r] = make_row(n);
  return rows;
}
double ***make_list(long n, int count) {
  double ***tables = malloc(count * sizeof *tables);
  if (tables != NULL)
    for (int k = 0; k < count; k++)
      tables[k] = make_table(n);
  return tables;
}
int main(void) {
  double ***all = make_list(100, 3);
  for (int k = 0; k < 3; k++)
    for (int i = 1; i < 100; i++)
      all[k][i][0] = all[k][i - 1][0] + k;
  return all[2][99][0] > 1;
}
