/*===- test/runtime-bench/BlasRecurring.c - Matrices that come again, from a program ---===*\
 * Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*
 *
 * A program that knows nothing of busfare multiplies one matrix with vectors, again and
 * again, and changes it in every way there is in between (BlasDisturbances.h). Results are
 * held against plain loops over what is in memory. Preloaded with BUSFARE_BLAS_RESIDENCY=watch
 * the matrix stays on the device between the calls, until it is changed.
 *
\*===----------------------------------------------------------------------===*/

#include "BlasDisturbances.h"
#include <math.h>

void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a, const int *lda, const double *x,
            const int *incx, const double *beta, double *y, const int *incy);

enum { SIDE = 1024, UNCHANGED_CALLS = 7 };

static int failures = 0, calls = 0;

static int isRight(const Block *block) {
  static double x[SIDE], y[SIDE], right[SIDE];
  const int side = SIDE, one = 1;
  const double alpha = 1, beta = 0;
  memset(right, 0, sizeof right);
  for (int i = 0; i < SIDE; ++i) x[i] = 1 + (i + calls) % 7;
  ++calls;
  dgemv_("N", &side, &side, &alpha, block->at, &side, x, &one, &beta, y, &one);
  for (int j = 0; j < SIDE; ++j)
    for (int i = 0; i < SIDE; ++i) right[i] += block->at[(size_t)j * SIDE + i] * x[j];
  for (int i = 0; i < SIDE; ++i)
    if (!(fabs(y[i] - right[i]) <= 1e-9 * fabs(right[i]) + 1e-9)) return 0;
  return 1;
}

static void expectRight(const Block *block, const char *when, const char *what) {
  if (isRight(block)) return;
  printf("%s %s: the product is not that of the matrix in memory\n", when, what);
  ++failures;
}

int main(void) {
  int done = 0;
  /* All stay until the end: memory that was found changed at an address is left alone there for a while. */
  static Block blocks[disturbanceCount];
  for (int number = 0; number < disturbanceCount; ++number) {
    const Disturbance *each = &disturbances[number];
    Block *block = &blocks[number];
    if (!makeBlock(block, each->kind, (size_t)SIDE * SIDE)) {
      printf("no memory of its kind here: %s\n", each->name);
      continue;
    }
    for (int call = 0; call < UNCHANGED_CALLS; ++call) expectRight(block, "before", each->name);
    if (each->change(block)) ++done;
    else printf("not possible here: %s\n", each->name);
    for (int call = 0; call < UNCHANGED_CALLS; ++call) expectRight(block, "after", each->name);
    if (each->kind == PINNED) freeBlock(block); /* while something is pinned, nothing stays */
  }
  /* A child's memory is its own, and what it calls stays on the host. */
  Block block;
  if (!makeBlock(&block, MALLOCED, (size_t)SIDE * SIDE)) return 1;
  for (int call = 0; call < UNCHANGED_CALLS; ++call) expectRight(&block, "before", "a fork");
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    storeOne(&block);
    _exit(!isRight(&block));
  }
  int status = 1;
  waitpid(child, &status, 0);
  if (status != 0) {
    printf("the child's product is wrong\n");
    ++failures;
  }
  expectRight(&block, "after", "a fork");
  freeBlock(&block);
  if (done < 17) {
    printf("only %d ways of changing memory were possible here\n", done);
    ++failures;
  }
  printf("%s\n", failures ? "wrong" : "right");
  return failures != 0;
}
