// RUN: %busfare extract %s -- 2>&1 | FileCheck %s
// CSR: bounds from memory become symbols, subscripts from memory stay unknown.
void spmv(int n, const int *rowptr, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = rowptr[i]; k < rowptr[i + 1]; k++) // CHECK: read rowptr[i]
                                                    // CHECK-NEXT: define k because "rowptr[i]"
                                                    // CHECK: define `rowptr[i + 1]`
                                                    // CHECK: for k.2 = k .. `rowptr[i + 1]` - 1
      s += val[k] * x[col[k]];                      // CHECK: read val[k.2]
                                                    // CHECK: read x[? from col]
    y[i] = s;
  }
}
// A product that is meant to wrap is no index that a formula can say: buckets are met again.
// CHECK-LABEL: function buckets(
void buckets(unsigned n, unsigned *table) {
  for (unsigned i = 0; i < n; i++)
    table[i * 2654435769u >> 20] = i; // CHECK: write table[? in 0 .. ?]
}
// CHECK: BF001
