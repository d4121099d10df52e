void third(int n, double *a, const int *idx) {
  for (int i = 0; i < n; i++)
    a[idx[i]] = 0;
}
