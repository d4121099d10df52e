/* A small program with a serial sum at its end, and its port written by hand (PORT = 1 plain, 2 watched, 3 ordered; none
   or 0: the original). FAULT plants one mistake of a port; VerifyTest.cpp says which check must find it. */
#ifndef PORT
#define PORT 0
#endif
#ifndef FAULT
#define FAULT 0
#endif
#include <stdio.h>
#include <stdlib.h>

#if PORT >= 2
void busfare_object(const char *root, const char *array, const void *address, unsigned long bytes);
long busfare_copy(int copy, long elements);
void busfare_value(const char *root, const char *symbol, long value);
long busfare_order(long k, long trips);
void busfare_poison(void *p, unsigned long bytes);
#endif

#if PORT == 2
#define PRESENT present,
#define NONE defaultmap(none)
#define COPY(id, n) atLeastNone(busfare_copy(id, n))
static long atLeastNone(long granted) { return granted < 0 ? 0 : granted; }
#else
#define PRESENT
#define NONE
#define COPY(id, n) (n)
#endif

/* b = smoothed a, `steps` times, the buffers taking turns. */
static void smooth(double *a, double *b, const double *weight, int n, int steps) {
#if PORT == 2
  busfare_object("smooth", "a", a, n * sizeof *a);
  busfare_object("smooth", "b", b, n * sizeof *b);
  busfare_object("smooth", "weight", weight, 3 * sizeof *weight);
  busfare_value("smooth", "n", n);
#endif
#if PORT == 1 || PORT == 2
#pragma omp target enter data map(alloc : a[0 : n], b[0 : n], weight[0 : 3])
  long in = COPY(0, FAULT == 1 ? n - 1 : n); /* 1: the last element is never brought in */
#pragma omp target update to(a[0 : in])
#if FAULT != 2 /* 2: the weights are never brought in */
  long few = COPY(1, 3);
#pragma omp target update to(weight[0 : few])
#endif
#endif
  for (int t = 0; t < steps; t++) {
#if PORT == 3
    double left;
    for (long k = 0; k < n; k++) {
      busfare_poison(&left, sizeof left);
      long i = busfare_order(k, n);
#if FAULT == 5 /* 5: a private variable that carries a value */
      if (i % 2 == 0)
#endif
        left = i > 0 ? a[i - 1] : a[i];
#else
#if FAULT == 3 && PORT == 2 /* 3: the weights are read on the host, by their address */
    unsigned long host = (unsigned long)weight;
#endif
#if PORT
#if FAULT == 3 && PORT == 2
#pragma omp target teams distribute parallel for NONE map(PRESENT alloc : a[0 : n], b[0 : n]) firstprivate(n, host)
#else
#pragma omp target teams distribute parallel for NONE map(PRESENT alloc : a[0 : n], b[0 : n], weight[0 : 3]) firstprivate(n)
#endif
#endif
    for (int i = 0; i < n; i++) {
#if FAULT == 3 && PORT == 2
      const double *weight = (const double *)host;
#endif
      double left = i > 0 ? a[i - 1] : a[i];
#endif
      double right = i < n - 1 ? a[i + 1] : a[i];
      b[i] = weight[0] * left + weight[1] * a[i] + weight[2] * right;
#if FAULT == 4 /* 4: not parallel, whatever the port says */
      a[i] = b[i];
#endif
    }
    double *swapped = a;
    a = b;
    b = swapped;
  }
#if PORT == 1 || PORT == 2
  long out = COPY(2, n);
#pragma omp target update from(a[0 : out])
#pragma omp target exit data map(release : a[0 : n], b[0 : n], weight[0 : 3])
#endif
#if (FAULT == 6 && PORT == 1) || defined WARN
  int unused; /* 6: a port with a warning of its own, or the original's */
#endif
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1001;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *weight = malloc(3 * sizeof *weight);
  for (int i = 0; i < n; i++)
    a[i] = (double)(i * 7919 % 1000) / 1000, b[i] = 0;
  weight[0] = 0.25, weight[1] = 0.5, weight[2] = 0.25;
  smooth(a, b, weight, n, 6);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * (i + 1);
  printf("n=%d sum=%.12g last=%.12g\n", n, sum, a[n - 1]);
  free(a), free(b), free(weight);
  return 0;
}
