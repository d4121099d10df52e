/*===- runtime-bench/blas/busfare-blas.h - BLAS over the bus, by tiles -----===*\
 * Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*
 *
 * BLAS on a GPU, with operands wherever they are: copies in, kernels and copies out of
 * different tiles overlap, with the tile that a model selects for the machine (CoCoPeLia:
 * Anastasiadis et al., ISPASS 2021). What is not worth the bus runs on the host's BLAS.
 *
 *   busfare_blas *blas;
 *   if (busfare_blas_create(&blas, NULL) == BUSFARE_BLAS_OK)
 *     busfare_blas_dgemm(blas, 'N', 'N', m, n, k, 1, a, lda, b, ldb, 0, c, ldc);
 *   busfare_blas_destroy(blas);
 *
 * Arguments are those of Fortran's BLAS, by value: matrices are column-major, lengths are
 * 64-bit, letters may be small. Complex scalars go by address. Each operand may lie in
 * pageable or pinned host memory, or on the device; where is found out. A call comes back
 * when its result is where the operand lies. A context may be used by several threads: calls
 * take turns.
 *
 * Preloaded (LD_PRELOAD=libbusfare-blas.so) the library answers the Fortran and CBLAS names
 * of these routines in an unchanged program. README.md has the environment that it reads.
 *
\*===----------------------------------------------------------------------===*/
#ifndef BUSFARE_BLAS_H
#define BUSFARE_BLAS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct busfare_blas busfare_blas;

typedef enum busfare_blas_status {
  BUSFARE_BLAS_OK = 0,
  BUSFARE_BLAS_INVALID_ARGUMENT = 1, /* of the routine, or of the options */
  BUSFARE_BLAS_NO_DEVICE = 2,
  BUSFARE_BLAS_OUT_OF_MEMORY = 3, /* not even a few tiles fit */
  BUSFARE_BLAS_DEVICE_ERROR = 4,  /* what the result holds is not known */
  BUSFARE_BLAS_NO_HOST_BLAS = 5   /* none was found: see README.md */
} busfare_blas_status;

/* A sentence; never NULL. */
const char *busfare_blas_message(busfare_blas_status status);

typedef enum busfare_blas_where {
  BUSFARE_BLAS_AUTO = 0,
  BUSFARE_BLAS_DEVICE = 1,
  BUSFARE_BLAS_HOST = 2
} busfare_blas_where;

/* How matrices cross: in square tiles, or in panels of whole columns where the call has a way by panels and the
 * device's memory holds the operands. */
typedef enum busfare_blas_cut {
  BUSFARE_BLAS_BEST = 0,
  BUSFARE_BLAS_TILES = 1,
  BUSFARE_BLAS_PANELS = 2
} busfare_blas_cut;

/* Zeros are the defaults. */
typedef struct busfare_blas_options {
  const char *machine;      /* a machine file, or the name of a built-in one; NULL: the built-in one of this GPU */
  const char *backend;      /* "cuda" (NULL too), or "host": the host as a device, for tests */
  int device;               /* which GPU */
  busfare_blas_where where; /* auto: where the model says that it is faster */
  busfare_blas_cut cut;     /* best: what the model says is faster */
  int64_t tile;             /* side of tiles, or width of panels; 0: selected for each call's sizes and places */
  size_t device_bytes;      /* of device memory for tiles; 0: nine tenths of what is free */
  int copy_threads;         /* that pack pageable memory; 0: one a processor, at most 16 */
} busfare_blas_options;

/* options may be NULL. What went wrong is said by busfare_blas_why. */
busfare_blas_status busfare_blas_create(busfare_blas **blas, const busfare_blas_options *options);
void busfare_blas_destroy(busfare_blas *blas);
/* Of this thread's last call, if it failed: what caused it; else "". */
const char *busfare_blas_why(void);

/* Nobody changes these bytes of host memory but calls of this context: operands in there that are only read cross once
 * and are then used from the device. Whoever changes them says so before the next call. A result that a call writes
 * there needs no word. Ranges may overlap; release takes the range that begins there (INVALID_ARGUMENT: none does). */
busfare_blas_status busfare_blas_keep(busfare_blas *blas, const void *from, size_t bytes);
busfare_blas_status busfare_blas_changed(busfare_blas *blas, const void *from, size_t bytes);
busfare_blas_status busfare_blas_release(busfare_blas *blas, const void *from);

/* Of the last call of a context. */
typedef struct busfare_blas_report {
  busfare_blas_where where;
  busfare_blas_cut cut;
  int64_t tile;       /* side or width; 0: on the host */
  double projected_s; /* of where it ran; 0: not projected */
  double projected_host_s;
  double seconds; /* measured */
  size_t bytes_in, bytes_out;
  size_t kernels;
} busfare_blas_report;
void busfare_blas_last(busfare_blas *blas, busfare_blas_report *report);

/* T is the type of an element, S how a scalar is passed. */
#define BUSFARE_BLAS_ROUTINES(letter, T, S)                                                                            \
  busfare_blas_status busfare_blas_##letter##axpy(busfare_blas *blas, int64_t n, S alpha, const T *x, int64_t incx,    \
                                                  T *y, int64_t incy);                                                 \
  busfare_blas_status busfare_blas_##letter##gemv(busfare_blas *blas, char trans, int64_t m, int64_t n, S alpha,       \
                                                  const T *a, int64_t lda, const T *x, int64_t incx, S beta, T *y,     \
                                                  int64_t incy);                                                       \
  busfare_blas_status busfare_blas_##letter##gemm(busfare_blas *blas, char transa, char transb, int64_t m, int64_t n,  \
                                                  int64_t k, S alpha, const T *a, int64_t lda, const T *b,             \
                                                  int64_t ldb, S beta, T *c, int64_t ldc);                             \
  busfare_blas_status busfare_blas_##letter##syrk(busfare_blas *blas, char uplo, char trans, int64_t n, int64_t k,     \
                                                  S alpha, const T *a, int64_t lda, S beta, T *c, int64_t ldc);        \
  busfare_blas_status busfare_blas_##letter##trsm(busfare_blas *blas, char side, char uplo, char transa, char diag,    \
                                                  int64_t m, int64_t n, S alpha, const T *a, int64_t lda, T *b,        \
                                                  int64_t ldb);
BUSFARE_BLAS_ROUTINES(s, float, float)
BUSFARE_BLAS_ROUTINES(d, double, double)
BUSFARE_BLAS_ROUTINES(c, void, const void *)
BUSFARE_BLAS_ROUTINES(z, void, const void *)
#undef BUSFARE_BLAS_ROUTINES

/* The sum goes to *result, in host memory. dotc conjugates x. */
#define BUSFARE_BLAS_DOT(name, T)                                                                                      \
  busfare_blas_status busfare_blas_##name(busfare_blas *blas, int64_t n, const T *x, int64_t incx, const T *y,         \
                                          int64_t incy, T *result);
BUSFARE_BLAS_DOT(sdot, float)
BUSFARE_BLAS_DOT(ddot, double)
BUSFARE_BLAS_DOT(cdotu, void)
BUSFARE_BLAS_DOT(cdotc, void)
BUSFARE_BLAS_DOT(zdotu, void)
BUSFARE_BLAS_DOT(zdotc, void)
#undef BUSFARE_BLAS_DOT

#ifdef __cplusplus
}
#endif

#endif
