#include <math.h>
#include <stdio.h>
#define N 8000000

double a[N], b[N];

/* Überlauf */ void add(int n, double *y, const double *x) {
  /* größer */ for (int i = 0; i < n; i++)
    y[i] += x[i];
}

// busfare: ignore(BF009)
void scale(int n, double *y, const double *x) {
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}

void prefix(int n, double *y) {
  for (int i = 1; i < n; i++)
    y[i] += y[i - 1];
}

int main(int argc, char **argv) {
  for (int t = 0; t < 500; t++)
    for (int i = 0; i < N; i++)
      a[i] = sin(a[i]) + exp(-b[i]);
  printf("%g\n", a[argc]);
}
