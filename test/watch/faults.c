/* One program, many cases (argv[1]): some right, the others each with one planted fault that the watch library must
   notice. watch_test.py compiles it for libomptarget's x86_64 device and holds what happens against its table. */
#include "runtime-bench/watch/Watch.h"
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };
static double table[4 * N];
static double little[3] = {1, 2, 3};

struct Pair {
  double a[3];
  int b;
};

static double sumOf(const double *v, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += v[i] * (double)(i + 1);
  return s;
}

static long granted(int copy, long n) {
  long left = busfare_copy(copy, n);
  return left < 0 ? 0 : left;
}

/* b[i] = 2 a[i] on the device, a brought in and b taken back by planned copies 0 and 1. */
static void twice(double *a, double *b, long n) {
  busfare_object("r", "a", a, n * sizeof *a);
  busfare_object("r", "b", b, n * sizeof *b);
#pragma omp target enter data map(alloc : a[0 : n], b[0 : n])
  long in = granted(0, n);
#pragma omp target update to(a[0 : in])
#pragma omp target teams distribute parallel for defaultmap(none) map(present, alloc : a[0 : n], b[0 : n])               \
    firstprivate(n)
  for (long i = 0; i < n; i++)
    b[i] = 2 * a[i];
  long out = granted(1, n);
#pragma omp target update from(b[0 : out])
#pragma omp target exit data map(release : a[0 : n], b[0 : n])
}

/* The same in two chunks, as tasks; waits: kernels do so for the copies of their chunk. */
static void chunks(double *a, double *b, long n, int waits) {
  char in[3], done[3];
  busfare_object("r", "a", a, n * sizeof *a);
  busfare_object("r", "b", b, n * sizeof *b);
#pragma omp target enter data map(alloc : a[0 : n], b[0 : n])
  while (busfare_tasks(1, 1))
    for (int k = 1; k <= 2; k++) {
      const long from = n * (k - 1) / 2, to = n * k / 2;
      busfare_depends(-1, &in[k], 1);
      if (busfare_task()) {
        const long count = granted(0, to - from);
#pragma omp target update to(a[from : count])
      }
      if (waits)
        busfare_depends(0, &in[k], 0);
      busfare_depends(-1, &done[k], 1);
      if (busfare_task())
#pragma omp target teams distribute parallel for defaultmap(none) map(present, alloc : a[0 : n], b[0 : n])               \
    firstprivate(from, to)
        for (long i = from; i < to; i++)
          b[i] = 2 * a[i];
      busfare_depends(1, &done[k], 0);
      if (busfare_task()) {
        const long count = granted(1, to - from);
#pragma omp target update from(b[from : count])
      }
    }
#pragma omp target exit data map(release : a[0 : n], b[0 : n])
}

/* A 4 x 3 tile out of 10 x 10, by omp_target_memcpy_rect. */
static void tile(double *a) {
  busfare_object("r", "tile", a, 100 * sizeof *a);
#pragma omp target enter data map(alloc : a[0 : 100])
  size_t volume[2] = {4, 3}, at[2] = {1, 2}, extent[2] = {10, 10};
  busfare_copy(2, 3);
  double *device = omp_get_mapped_ptr(a, omp_get_default_device());
  if (omp_target_memcpy_rect(device, a, sizeof *a, 2, volume, at, at, extent, extent, omp_get_default_device(),
                             omp_get_initial_device()))
    exit(3);
#pragma omp target exit data map(release : a[0 : 100])
}

/* A reduction and a struct by value: neither belongs to an array. */
static double reduced(double *a, long n) {
  struct Pair p = {{1, 2, 3}, 4};
  double s = 0;
  busfare_object("r", "a", a, n * sizeof *a);
#pragma omp target enter data map(alloc : a[0 : n])
  busfare_copy(0, n);
#pragma omp target update to(a[0 : n])
#pragma omp target teams distribute parallel for defaultmap(none) map(present, alloc : a[0 : n]) map(tofrom : s)        \
    reduction(+ : s) firstprivate(n, p)
  for (long i = 0; i < n; i++)
    s += a[i] * p.a[1];
#pragma omp target exit data map(release : a[0 : n])
  return s;
}

/* The kernel reads, or writes, host memory. The address goes there as a number: libomptarget translates pointers. */
static void stray(double *a, double *pointer, long n, long at, int write) {
  uintptr_t host = (uintptr_t)pointer;
  busfare_object("r", "a", a, n * sizeof *a);
#pragma omp target enter data map(alloc : a[0 : n])
#pragma omp target defaultmap(none) map(present, alloc : a[0 : n]) firstprivate(host, at, write)
  {
    if (write)
      ((double *)host)[at] = 1;
    else
      a[0] = ((double *)host)[at];
  }
#pragma omp target exit data map(delete : a[0 : n])
}

/* The device block is made for a[lo .. lo+n-1]; the kernel writes a[at]. */
static void beside(double *a, long lo, long n, long at) {
  busfare_object("r", "a", a + lo, n * sizeof *a);
#pragma omp target enter data map(alloc : a[lo : n])
#pragma omp target defaultmap(none) map(present, alloc : a[lo : n]) firstprivate(at)
  a[at] = 1;
#pragma omp target exit data map(release : a[lo : n])
}

/* Kernel and host take turns, so that protection must come and go. */
static double turns(double *a, long n) {
  busfare_object("r", "a", a, n * sizeof *a);
#pragma omp target enter data map(alloc : a[0 : n])
  for (int t = 0; t < 5; t++) {
    a[t] += t;
    busfare_copy(0, n);
#pragma omp target update to(a[0 : n])
#pragma omp target teams distribute parallel for defaultmap(none) map(present, alloc : a[0 : n]) firstprivate(n)
    for (long i = 0; i < n; i++)
      a[i] = a[i] + 1;
    busfare_copy(1, n);
#pragma omp target update from(a[0 : n])
  }
#pragma omp target exit data map(release : a[0 : n])
  return sumOf(a, n);
}

/* Distances to the nearest earlier odd number, wrongly through one private variable. */
static double throughPrivate(long n) {
  double last = 0, s = 0;
  for (long k = 0; k < n; k++) {
    busfare_poison(&last, sizeof last);
    long i = busfare_order(k, n);
    if (i % 2 == 1 || i == 0)
      last = (double)i;
    s += ((double)i - last) * (double)i;
  }
  return s;
}

/* A running sum, wrongly called parallel. */
static double running(double *a, long n) {
  for (long k = 0; k < n - 1; k++) {
    long i = busfare_order(k, n - 1) + 1;
    a[i] = a[i] + a[i - 1] / 2;
  }
  return sumOf(a, n);
}

/* Every order must be a permutation. */
static int orders(void) {
  static char seen[5000];
  for (long trips = 0; trips < 5000; trips += trips < 70 ? 1 : 977) {
    memset(seen, 0, sizeof seen);
    long moved = 0;
    for (long k = 0; k < trips; k++) {
      long i = busfare_order(k, trips);
      if (i < 0 || i >= trips || seen[i]++)
        return 1;
      moved += i != k;
    }
    if (trips > 8)
      printf(moved ? "m" : ".");
  }
  printf("\n");
  return 0;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  double *a = malloc(N * sizeof *a), *b = calloc(N, sizeof *b);
  for (long i = 0; i < N; i++)
    a[i] = 1 + (double)(i % 7);
#define CASE(text) if (strcmp(name, text) == 0)
  CASE("right") {
    twice(a, b, N);
    printf("%.6g\n", sumOf(b, N));
  }
  CASE("turns") printf("%.6g\n", turns(a, N));
  CASE("tile") tile(a);
  CASE("reduced") printf("%.6g\n", reduced(a, N));
  CASE("pages") {
    double local[N];
    memcpy(local, a, sizeof local);
    double *p = busfare_pages(sizeof local, local), *q = busfare_pages(sizeof local, NULL);
    twice(p, q, N);
    printf("%.6g\n", sumOf(q, N));
  }
  CASE("static") {
    for (long i = 0; i < 4 * N; i++)
      table[i] = (double)i;
    twice(table, b, N);
    printf("%.6g\n", sumOf(b, N));
  }
  CASE("unplanned") {
    busfare_object("r", "a", a, N * sizeof *a);
#pragma omp target enter data map(to : a[0 : N])
#pragma omp target exit data map(release : a[0 : N])
  }
  CASE("again") { /* copy 3 brings nothing new, copy 4 only a first value, copy 5 a last one */
    busfare_object("r", "a", a, N * sizeof *a);
#pragma omp target enter data map(alloc : a[0 : N])
    for (int copy = 2; copy < 6; copy++) {
      if (copy == 4)
        a[0] = -1;
      if (copy == 5)
        a[N - 1] = -1;
      long n = granted(copy, N);
#pragma omp target update to(a[0 : n])
    }
#pragma omp target exit data map(release : a[0 : N])
  }
  CASE("value") {
    busfare_value("r", "n", 7);
    busfare_value("r", "n", 9);
    busfare_value("r", "v.size(\"x\")", -3);
  }
  CASE("odd") { /* 5 doubles end at the guard to the byte */
    twice(a, b, 5);
    printf("%.6g\n", sumOf(b, 5));
  }
  CASE("reads host") stray(a, b, N, 10, 0);
  CASE("writes host") stray(a, b, N, 10, 1);
  CASE("reads own host") stray(a, a, N, 3, 0);
  CASE("reads static") {
    busfare_object("r", "table", table, sizeof table);
#pragma omp target enter data map(alloc : table[0 : 4 * N])
    stray(a, table, N, 2 * N, 0);
  }
  CASE("reads little") {
    busfare_object("r", "little", little, sizeof little);
#pragma omp target enter data map(alloc : little[0 : 3])
    stray(a, little, N, 2, 0);
  }
  CASE("reads bystander") {
    busfare_bystander("r", "table", table, sizeof table);
    stray(a, table, N, 2 * N, 0);
  }
  CASE("bystander") { /* of one kernel only; the host may use it behind that */
    busfare_bystander("r", "table", table, sizeof table);
    beside(a, 0, 5, 4);
    table[7] = 3;
    stray(a, table, N, 7, 1);
    printf("%.6g\n", table[7]);
  }
  CASE("past device") beside(a, 0, 5, 5);
  CASE("before device") beside(a, 600, 400, 0);
  CASE("past host") printf("%g\n", a[N + 1]);
  CASE("after free") {
    double *volatile p = a;
    free(a);
    printf("%g\n", p[1]);
  }
  CASE("not mapped") {
#pragma omp target defaultmap(none) map(present, alloc : a[0 : N])
    a[0] = 1;
  }
  CASE("fresh") { /* device memory is what MALLOC_PERTURB_ says, small recycled blocks too */
    for (int t = 0; t < 3; t++) {
      double *s = malloc(4 * sizeof *s);
#pragma omp target enter data map(alloc : s[0 : 4])
#pragma omp target update from(s[0 : 4])
      printf("%g ", s[2]);
#pragma omp target defaultmap(none) map(present, alloc : s[0 : 4])
      s[2] = 5;
#pragma omp target exit data map(release : s[0 : 4])
      free(s);
    }
    printf("\n");
  }
  CASE("private") printf("%.6g\n", throughPrivate(N));
  CASE("running") printf("%.6g\n", running(a, N));
  CASE("guards") { /* one that holds and one that does not, each with two constructs */
    for (int region = 1; region <= 2; region++) {
      const int pays = busfare_guard(region, region == 1);
      printf("%d%d%d ", pays, busfare_guarded(2 * region, pays), busfare_guarded(2 * region + 1, pays));
    }
    printf("\n");
  }
  CASE("orders") return orders();
  CASE("chunks") {
    chunks(a, b, N, 1);
    printf("%.6g\n", sumOf(b, N));
  }
  CASE("chunks that do not wait") chunks(a, b, N, 0);
  CASE("blocks") { /* growing, shrinking, aligned, freed by libraries */
    char *p = malloc(10), *text = NULL;
    strcpy(p, "abcdefghi");
    p = realloc(p, 100000);
    p = realloc(p, 20);
    void *aligned = NULL;
    size_t room = 10;
    if (posix_memalign(&aligned, 16384, 100) || (uintptr_t)aligned % 16384 || posix_memalign(&aligned, 24, 8) == 0)
      return 3;
    text = malloc(room);
    FILE *file = tmpfile();
    fputs("a line that is longer than ten characters\n", file);
    rewind(file);
    if (getline(&text, &room, file) != 42) /* glibc grows our block */
      return 3;
    printf("%s %s", p, text);
    free(text);
    free(strdup("glibc's"));
    for (int i = 0; i < 60000; i++) /* more blocks than there are areas */
      *(char *)malloc(100) = 1;
    twice(a, b, N);
    printf("%.6g\n", sumOf(b, N));
  }
  return 0;
}
