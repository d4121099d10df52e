//===- runtime-bench/blas/Api.cpp - The C interface -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Context.h"
#include "runtime-bench/blas/Scalars.h"
#include <new>

using namespace busfare::blas;

struct busfare_blas {
  Context context{/*behindThis=*/false};
};

namespace {

thread_local std::string why;

/// No exception leaves a C function: what can be thrown is that there is no memory.
template <class Work> busfare_blas_status guarded(Work work) {
  try {
    why.clear();
    return busfare_blas_status(work());
  } catch (const std::exception &error) {
    why = error.what();
    return BUSFARE_BLAS_OUT_OF_MEMORY;
  }
}

busfare_blas_status run(busfare_blas *blas, const Asked &asked) {
  return guarded([&] { return blas ? blas->context.run(asked, why) : Status::InvalidArgument; });
}

Scalar scalarOf(float value, Element) { return value; }
Scalar scalarOf(double value, Element) { return value; }
Scalar scalarOf(const void *value, Element element) { return scalarAt(value, element); }

} // namespace

extern "C" {

const char *busfare_blas_message(busfare_blas_status status) {
  switch (status) {
  case BUSFARE_BLAS_OK: return "done";
  case BUSFARE_BLAS_INVALID_ARGUMENT: return "an argument is not one that is taken";
  case BUSFARE_BLAS_NO_DEVICE: return "there is no device to use";
  case BUSFARE_BLAS_OUT_OF_MEMORY: return "there is not enough memory for a few tiles";
  case BUSFARE_BLAS_DEVICE_ERROR: return "the device failed, and what the result holds is not known";
  case BUSFARE_BLAS_NO_HOST_BLAS: return "no BLAS is found for the host";
  }
  return "no such status";
}

busfare_blas_status busfare_blas_create(busfare_blas **blas, const busfare_blas_options *options) {
  return guarded([&] {
    if (!blas) return Status::InvalidArgument;
    auto made = std::make_unique<busfare_blas>();
    const Status status = made->context.start(options ? *options : busfare_blas_options{}, why);
    *blas = status == Status::Ok ? made.release() : nullptr;
    return status;
  });
}

void busfare_blas_destroy(busfare_blas *blas) { delete blas; }

const char *busfare_blas_why(void) { return why.c_str(); }

busfare_blas_status busfare_blas_keep(busfare_blas *blas, const void *from, size_t bytes) {
  return guarded([&] { return blas ? blas->context.keep(from, bytes) : Status::InvalidArgument; });
}
busfare_blas_status busfare_blas_changed(busfare_blas *blas, const void *from, size_t bytes) {
  return guarded([&] { return blas ? blas->context.changed(from, bytes) : Status::InvalidArgument; });
}
busfare_blas_status busfare_blas_release(busfare_blas *blas, const void *from) {
  return guarded([&] { return blas ? blas->context.release(from) : Status::InvalidArgument; });
}

void busfare_blas_last(busfare_blas *blas, busfare_blas_report *report) {
  if (report) *report = blas ? blas->context.last() : busfare_blas_report{};
}

#define ROUTINES(letter, E, T, S)                                                                                      \
  busfare_blas_status busfare_blas_##letter##axpy(busfare_blas *blas, int64_t n, S alpha, const T *x, int64_t incx,    \
                                                  T *y, int64_t incy) {                                                \
    return run(blas, axpy(E, n, scalarOf(alpha, E), x, incx, y, incy));                                                \
  }                                                                                                                    \
  busfare_blas_status busfare_blas_##letter##gemv(busfare_blas *blas, char trans, int64_t m, int64_t n, S alpha,       \
                                                  const T *a, int64_t lda, const T *x, int64_t incx, S beta, T *y,     \
                                                  int64_t incy) {                                                      \
    return run(blas, gemv(E, trans, m, n, scalarOf(alpha, E), a, lda, x, incx, scalarOf(beta, E), y, incy));           \
  }                                                                                                                    \
  busfare_blas_status busfare_blas_##letter##gemm(busfare_blas *blas, char transa, char transb, int64_t m, int64_t n,  \
                                                  int64_t k, S alpha, const T *a, int64_t lda, const T *b,             \
                                                  int64_t ldb, S beta, T *c, int64_t ldc) {                            \
    return run(blas, gemm(E, transa, transb, m, n, k, scalarOf(alpha, E), a, lda, b, ldb, scalarOf(beta, E), c, ldc)); \
  }                                                                                                                    \
  busfare_blas_status busfare_blas_##letter##syrk(busfare_blas *blas, char uplo, char trans, int64_t n, int64_t k,     \
                                                  S alpha, const T *a, int64_t lda, S beta, T *c, int64_t ldc) {       \
    return run(blas, syrk(E, uplo, trans, n, k, scalarOf(alpha, E), a, lda, scalarOf(beta, E), c, ldc));               \
  }                                                                                                                    \
  busfare_blas_status busfare_blas_##letter##trsm(busfare_blas *blas, char side, char uplo, char transa, char diag,    \
                                                  int64_t m, int64_t n, S alpha, const T *a, int64_t lda, T *b,        \
                                                  int64_t ldb) {                                                       \
    return run(blas, trsm(E, side, uplo, transa, diag, m, n, scalarOf(alpha, E), a, lda, b, ldb));                     \
  }
ROUTINES(s, Element::S, float, float)
ROUTINES(d, Element::D, double, double)
ROUTINES(c, Element::C, void, const void *)
ROUTINES(z, Element::Z, void, const void *)
#undef ROUTINES

#define DOT(name, E, T, conjugates)                                                                                    \
  busfare_blas_status busfare_blas_##name(busfare_blas *blas, int64_t n, const T *x, int64_t incx, const T *y,         \
                                          int64_t incy, T *result) {                                                   \
    return run(blas, dot(E, conjugates, n, x, incx, y, incy, result));                                                 \
  }
DOT(sdot, Element::S, float, false)
DOT(ddot, Element::D, double, false)
DOT(cdotu, Element::C, void, false)
DOT(cdotc, Element::C, void, true)
DOT(zdotu, Element::Z, void, false)
DOT(zdotc, Element::Z, void, true)
#undef DOT

} // extern "C"
