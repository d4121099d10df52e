void shift(double *a, int n) {
  // busfare: independent
  for (int i = 5; i < n; i++)
    a[i] = a[i - 5] + 1;
}
