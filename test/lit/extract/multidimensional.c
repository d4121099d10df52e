// RUN: %busfare extract %s -- -DN=100 | FileCheck %s
// Declared arrays keep their dimensions.
static double A[N][N];                                       // CHECK: global array A : f64[100][100]
void vla(int n, int m, double B[n][m], double (*C)[m]) {     // CHECK: array B : f64[?][m] parameter
                                                             // CHECK: array C : f64[?][m] parameter
  double local[n];                                           // CHECK: array local : f64[n] local
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) {                           // CHECK: for j = 0 .. i
      A[i][j] += B[j][i] * 2.0 + C[i + 1][0];                // CHECK: read C[i + 1][0]
      local[i] = 0;                                          // CHECK: write local[i]
    }
  double *row = A[3];
  row[4] = 1;                                                // CHECK: write A[3][4]
  double *flat = &A[0][0];
  flat[250] = 1;                                             // CHECK: write A[2][50]
}
