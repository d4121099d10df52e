/*===- test/runtime-bench/BlasApi.c - The C interface, from C ---------------===*\
 * Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*
 *
 * Options and arguments that are wrong, results, reports, and a context that several threads use.
 *
\*===----------------------------------------------------------------------===*/

#include "runtime-bench/blas/busfare-blas.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                                                              \
  do                                                                                                                                   \
    if (!(condition)) {                                                                                                                \
      printf("%s:%d: %s; %s\n", __FILE__, __LINE__, #condition, busfare_blas_why());                                                   \
      ++failures;                                                                                                                      \
    }                                                                                                                                  \
  while (0)

static busfare_blas *made(busfare_blas_options options) {
  busfare_blas *blas = NULL;
  options.backend = "host";
  EXPECT(busfare_blas_create(&blas, &options) == BUSFARE_BLAS_OK);
  return blas;
}

static void wrongOptions(void) {
  busfare_blas *blas = NULL;
  busfare_blas_options options;
  memset(&options, 0, sizeof options);
  options.backend = "abacus";
  EXPECT(busfare_blas_create(&blas, &options) == BUSFARE_BLAS_INVALID_ARGUMENT && !blas);
  EXPECT(strstr(busfare_blas_why(), "abacus"));
  options.backend = "host";
  options.machine = "no-such-machine";
  EXPECT(busfare_blas_create(&blas, &options) == BUSFARE_BLAS_INVALID_ARGUMENT && !blas);
  EXPECT(strstr(busfare_blas_why(), "no-such-machine"));
  options.machine = NULL;
  options.tile = -1;
  EXPECT(busfare_blas_create(&blas, &options) == BUSFARE_BLAS_INVALID_ARGUMENT && !blas);
  EXPECT(busfare_blas_create(NULL, NULL) == BUSFARE_BLAS_INVALID_ARGUMENT);
  EXPECT(busfare_blas_daxpy(NULL, 1, 1, NULL, 1, NULL, 1) == BUSFARE_BLAS_INVALID_ARGUMENT);
  busfare_blas_destroy(NULL);
  for (int status = BUSFARE_BLAS_OK; status <= BUSFARE_BLAS_NO_HOST_BLAS; ++status)
    EXPECT(strlen(busfare_blas_message((busfare_blas_status)status)) > 3);
}

static void wrongArguments(void) {
  busfare_blas_options options;
  memset(&options, 0, sizeof options);
  busfare_blas *blas = made(options);
  double a[4] = {1, 2, 3, 4}, c[4] = {5, 6, 7, 8};
  EXPECT(busfare_blas_dgemm(blas, 'X', 'N', 2, 2, 2, 1, a, 2, a, 2, 0, c, 2) == BUSFARE_BLAS_INVALID_ARGUMENT);
  EXPECT(strstr(busfare_blas_why(), "argument 1 of dgemm"));
  EXPECT(busfare_blas_dgemm(blas, 'N', 'N', 2, 2, 2, 1, a, 2, a, 2, 0, c, 1) == BUSFARE_BLAS_INVALID_ARGUMENT);
  EXPECT(strstr(busfare_blas_why(), "argument 13 of dgemm"));
  EXPECT(busfare_blas_ddot(blas, 2, a, 0, a, 1, c) == BUSFARE_BLAS_INVALID_ARGUMENT);
  EXPECT(c[0] == 5 && c[3] == 8);
  /* Nothing to do is nothing done. */
  EXPECT(busfare_blas_dgemm(blas, 'N', 'N', 0, 2, 2, 1, NULL, 1, NULL, 2, 0, NULL, 1) == BUSFARE_BLAS_OK);
  EXPECT(busfare_blas_dgemm(blas, 'N', 'N', 2, 2, 0, 1, NULL, 2, NULL, 1, 1, c, 2) == BUSFARE_BLAS_OK && c[0] == 5);
  EXPECT(busfare_blas_ddot(blas, 0, NULL, 1, NULL, 1, c) == BUSFARE_BLAS_OK && c[0] == 0);
  busfare_blas_destroy(blas);
}

static void results(busfare_blas_where where, busfare_blas_cut cut) {
  busfare_blas_options options;
  memset(&options, 0, sizeof options);
  options.where = where;
  options.cut = cut;
  options.tile = 3;
  busfare_blas *blas = made(options);
  double a[49], b[49], c[49];
  for (int i = 0; i < 49; ++i) {
    a[i] = i % 5;
    b[i] = i % 3;
    c[i] = i;
  }
  EXPECT(busfare_blas_dgemm(blas, 't', 'n', 7, 7, 7, 2, a, 7, b, 7, -1, c, 7) == BUSFARE_BLAS_OK);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j) {
      double sum = 0;
      for (int l = 0; l < 7; ++l)
        sum += a[i * 7 + l] * b[j * 7 + l];
      EXPECT(fabs(c[j * 7 + i] - (2 * sum - (j * 7 + i))) < 1e-12);
    }
  busfare_blas_report report;
  busfare_blas_last(blas, &report);
  EXPECT(report.where == where && report.seconds > 0 && report.projected_host_s > 0);
  if (where == BUSFARE_BLAS_DEVICE)
    EXPECT(report.tile == 3 && report.cut == cut && report.kernels > 3 && report.bytes_in == sizeof a + sizeof b + sizeof c && report.bytes_out == sizeof c);
  const double one[2] = {1, 0}, x[4] = {1, 2, 3, 4}, y[4] = {1, 1, 1, 1};
  double sum[2];
  EXPECT(busfare_blas_zdotc(blas, 2, x, 1, y, 1, sum) == BUSFARE_BLAS_OK && fabs(sum[0] - 10) < 1e-12 && fabs(sum[1] + 2) < 1e-12);
  double z[4] = {0, 0, 0, 0};
  EXPECT(busfare_blas_zaxpy(blas, 2, one, x, 1, z, 1) == BUSFARE_BLAS_OK && z[3] == 4);
  busfare_blas_destroy(blas);
}

static size_t bytesIn(busfare_blas *blas, const double *a, const double *b, double *c, double expected) {
  busfare_blas_report report;
  EXPECT(busfare_blas_dgemm(blas, 'N', 'N', 8, 8, 8, 1, a, 8, b, 8, 0, c, 8) == BUSFARE_BLAS_OK);
  EXPECT(fabs(c[63] - expected) < 1e-12);
  busfare_blas_last(blas, &report);
  return report.bytes_in;
}

/* Kept operands cross once, until they are changed: by the program, or by a result. */
static void kept(busfare_blas_cut cut) {
  busfare_blas_options options;
  memset(&options, 0, sizeof options);
  options.where = BUSFARE_BLAS_DEVICE;
  options.cut = cut;
  options.tile = 3;
  busfare_blas *blas = made(options);
  double a[64], b[64], c[64];
  const size_t one = sizeof a;
  for (int i = 0; i < 64; ++i)
    a[i] = b[i] = 1;
  EXPECT(bytesIn(blas, a, b, c, 8) == 2 * one);
  EXPECT(busfare_blas_keep(blas, a, sizeof a) == BUSFARE_BLAS_OK);
  EXPECT(bytesIn(blas, a, b, c, 8) == 2 * one);
  EXPECT(bytesIn(blas, a, b, c, 8) == one);
  EXPECT(bytesIn(blas, a, a, c, 8) == 0);
  for (int i = 0; i < 64; ++i)
    a[i] = 2;
  EXPECT(busfare_blas_changed(blas, a + 63, sizeof(double)) == BUSFARE_BLAS_OK);
  EXPECT(bytesIn(blas, a, b, c, 16) == 2 * one);
  EXPECT(bytesIn(blas, a, b, c, 16) == one);
  /* A part of it is another operand, with a copy of its own. */
  EXPECT(busfare_blas_dgemm(blas, 'T', 'N', 4, 8, 8, 1, a, 8, b, 8, 0, c, 8) == BUSFARE_BLAS_OK && fabs(c[0] - 16) < 1e-12);
  /* As a result it is written on the host, and crosses again. */
  EXPECT(bytesIn(blas, b, b, a, 8) == one + one);
  EXPECT(bytesIn(blas, a, b, c, 64) == 2 * one);
  EXPECT(bytesIn(blas, a, b, c, 64) == one);
  EXPECT(busfare_blas_release(blas, a) == BUSFARE_BLAS_OK);
  EXPECT(busfare_blas_release(blas, a) == BUSFARE_BLAS_INVALID_ARGUMENT);
  EXPECT(bytesIn(blas, a, b, c, 64) == 2 * one);
  busfare_blas_destroy(blas);
}

static void *manyCalls(void *context) {
  double a[64], b[64], c[64];
  for (int i = 0; i < 64; ++i)
    a[i] = b[i] = 1;
  for (int round = 0; round < 200; ++round) {
    const int side = 1 + round % 8;
    if (busfare_blas_dgemm(context, 'N', 'N', side, side, side, 1, a, 8, b, 8, 0, c, 8) != BUSFARE_BLAS_OK || c[0] != side)
      return "wrong";
  }
  return NULL;
}

static void threads(void) {
  busfare_blas_options options;
  memset(&options, 0, sizeof options);
  options.where = BUSFARE_BLAS_DEVICE;
  options.tile = 4;
  busfare_blas *blas = made(options);
  pthread_t all[4];
  for (int i = 0; i < 4; ++i)
    EXPECT(pthread_create(&all[i], NULL, manyCalls, blas) == 0);
  for (int i = 0; i < 4; ++i) {
    void *wrong;
    pthread_join(all[i], &wrong);
    EXPECT(!wrong);
  }
  busfare_blas_destroy(blas);
}

int main(void) {
  wrongOptions();
  wrongArguments();
  results(BUSFARE_BLAS_DEVICE, BUSFARE_BLAS_TILES);
  results(BUSFARE_BLAS_DEVICE, BUSFARE_BLAS_PANELS);
  results(BUSFARE_BLAS_HOST, BUSFARE_BLAS_BEST);
  kept(BUSFARE_BLAS_TILES);
  kept(BUSFARE_BLAS_PANELS);
  threads();
  printf("%s\n", failures ? "wrong" : "right");
  return failures != 0;
}
