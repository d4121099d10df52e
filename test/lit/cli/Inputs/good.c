#ifndef COLUMNS
#define COLUMNS 64
#endif

void scale(int n, double factor, const double a[restrict][COLUMNS], double b[restrict][COLUMNS]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < COLUMNS; j++)
      b[i][j] = factor * a[i][j];
}
