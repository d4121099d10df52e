  for (int i = 0; i < N; i++)
    printf("%g %g\n", a[i][9], a[i][10]);
