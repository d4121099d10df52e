//===- runtime-bench/blas/Arguments.h - Calls from BLAS' arguments --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arguments as Fortran's BLAS has them, column-major, checked as it checks them: `wrong` is
// the number that it would give to xerbla. What needs no work is told: no element, alpha = 0
// and beta = 1.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_ARGUMENTS_H
#define BUSFARE_RUNTIMEBENCH_BLAS_ARGUMENTS_H

#include "runtime-bench/blas/Call.h"

namespace busfare::blas {

struct Asked {
  Call call;
  int wrong = 0; ///< The number of the first argument that is wrong; 0: none.
  bool hasWork = true;
};

Asked axpy(Element element, int64_t n, Scalar alpha, const void *x, int64_t incx, void *y, int64_t incy);
/// conjugates: the first vector, of complex types.
Asked dot(Element element, bool conjugates, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy,
          void *result);
Asked gemv(Element element, char trans, int64_t m, int64_t n, Scalar alpha, const void *a, int64_t lda, const void *x,
           int64_t incx, Scalar beta, void *y, int64_t incy);
Asked gemm(Element element, char transA, char transB, int64_t m, int64_t n, int64_t k, Scalar alpha, const void *a,
           int64_t lda, const void *b, int64_t ldb, Scalar beta, void *c, int64_t ldc);
Asked syrk(Element element, char uplo, char trans, int64_t n, int64_t k, Scalar alpha, const void *a, int64_t lda,
           Scalar beta, void *c, int64_t ldc);
Asked trsm(Element element, char side, char uplo, char trans, char diag, int64_t m, int64_t n, Scalar alpha,
           const void *a, int64_t lda, void *b, int64_t ldb);

} // namespace busfare::blas

#endif
