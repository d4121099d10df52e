enum { Never = 0 };
void scale(double *a, int n) {
  if (Never)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i] = j;
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}
