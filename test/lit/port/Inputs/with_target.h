#pragma omp target teams distribute parallel for
for (int i = 0; i < n; i++)
  a[i] = b[i] + 1;
