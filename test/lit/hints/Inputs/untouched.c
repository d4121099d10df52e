void first(int n, double *a, double *b, const int *idx) {
  for (int i = 0; i < n; i++)
    a[idx[i]] = 0;
  for (int j = 0; j < n; j++)
    b[j] = 0;
  for (int i = 0; i < n; i++)
    b[0] += i;
}
void second(int n, double *a, const int *idx) {
  for (int j = 0; j < n; j++)
    a[j] = 0;
  while (n > 5)
    n--;
  for (int k = 0; k < 9; k++)
    a[idx[k]] = 0;
}
void third_of(int n, const int *idx) {
  double a[100], b[100];
#pragma omp parallel for
  for (int p = 0; p < n; p++)
    a[idx[p]] = 0;
  for (int p = 0; p < n; p++)
    b[p] = a[p];
}
