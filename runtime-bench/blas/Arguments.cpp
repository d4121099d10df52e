//===- runtime-bench/blas/Arguments.cpp - Calls from BLAS' arguments ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Arguments.h"
#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace busfare::blas {
namespace {

char upper(char letter) { return char(std::toupper(static_cast<unsigned char>(letter))); }

/// Whether each argument is right, in the order in which BLAS looks at them.
int firstWrong(std::initializer_list<std::pair<int, bool>> arguments) {
  for (auto [number, isRight] : arguments)
    if (!isRight) return number;
  return 0;
}

bool isOneOf(char letter, const char *letters) {
  for (; *letters; ++letters)
    if (*letters == letter) return true;
  return false;
}

/// A conjugate of real numbers is none.
char transOf(Element element, char letter) { return upper(letter) == 'C' && !isComplex(element) ? 'T' : upper(letter); }

Operand vectorOf(const void *at, int64_t length, int64_t step, size_t elementBytes, bool isRead, bool isWritten) {
  char *first = static_cast<char *>(const_cast<void *>(at));
  if (step < 0 && length > 0) first += (1 - length) * step * int64_t(elementBytes);
  return {{first, step, 0}, length, 1, isRead, isWritten};
}

Operand matrixOf(const void *at, int64_t rows, int64_t columns, int64_t leading, bool isRead, bool isWritten) {
  return {{static_cast<char *>(const_cast<void *>(at)), 1, leading}, rows, columns, isRead, isWritten};
}

} // namespace

Asked axpy(Element element, int64_t n, Scalar alpha, const void *x, int64_t incx, void *y, int64_t incy) {
  Asked asked;
  asked.wrong = firstWrong({{4, incx != 0}, {6, incy != 0}});
  asked.hasWork = n > 0 && alpha != Scalar(0);
  Call &call = asked.call;
  call.element = element;
  call.shape = {BlasKind::Axpy, 1, n};
  call.alpha = alpha;
  call.operands = {vectorOf(x, n, incx, bytesOf(element), true, false),
                   vectorOf(y, n, incy, bytesOf(element), true, true)};
  return asked;
}

Asked dot(Element element, bool conjugates, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy,
          void *result) {
  Asked asked;
  asked.wrong = firstWrong({{3, incx != 0}, {5, incy != 0}});
  asked.hasWork = n > 0;
  Call &call = asked.call;
  call.element = element;
  call.shape = {BlasKind::Dot, 1, n};
  call.conjugates = conjugates;
  call.result = result;
  call.operands = {vectorOf(x, n, incx, bytesOf(element), true, false),
                   vectorOf(y, n, incy, bytesOf(element), true, false)};
  return asked;
}

Asked gemv(Element element, char trans, int64_t m, int64_t n, Scalar alpha, const void *a, int64_t lda, const void *x,
           int64_t incx, Scalar beta, void *y, int64_t incy) {
  Asked asked;
  trans = transOf(element, trans);
  asked.wrong = firstWrong({{1, isOneOf(trans, "NTC")},
                            {2, m >= 0},
                            {3, n >= 0},
                            {6, lda >= std::max<int64_t>(1, m)},
                            {8, incx != 0},
                            {11, incy != 0}});
  asked.hasWork = m > 0 && n > 0 && (alpha != Scalar(0) || beta != Scalar(1));
  Call &call = asked.call;
  call.element = element;
  call.shape = {.kind = BlasKind::Gemv, .m = m, .n = n, .transposesA = trans != 'N', .scalesAlone = alpha == Scalar(0)};
  call.transA = trans;
  call.alpha = alpha;
  call.beta = beta;
  const int64_t in = trans == 'N' ? n : m, out = trans == 'N' ? m : n;
  call.operands = {matrixOf(a, m, n, lda, true, false), vectorOf(x, in, incx, bytesOf(element), true, false),
                   vectorOf(y, out, incy, bytesOf(element), beta != Scalar(0), true)};
  return asked;
}

Asked gemm(Element element, char transA, char transB, int64_t m, int64_t n, int64_t k, Scalar alpha, const void *a,
           int64_t lda, const void *b, int64_t ldb, Scalar beta, void *c, int64_t ldc) {
  Asked asked;
  transA = transOf(element, transA);
  transB = transOf(element, transB);
  const int64_t rowsA = transA == 'N' ? m : k, columnsA = transA == 'N' ? k : m;
  const int64_t rowsB = transB == 'N' ? k : n, columnsB = transB == 'N' ? n : k;
  asked.wrong = firstWrong({{1, isOneOf(transA, "NTC")},
                            {2, isOneOf(transB, "NTC")},
                            {3, m >= 0},
                            {4, n >= 0},
                            {5, k >= 0},
                            {8, lda >= std::max<int64_t>(1, rowsA)},
                            {10, ldb >= std::max<int64_t>(1, rowsB)},
                            {13, ldc >= std::max<int64_t>(1, m)}});
  const bool scales = alpha == Scalar(0) || k == 0;
  asked.hasWork = m > 0 && n > 0 && !(scales && beta == Scalar(1));
  Call &call = asked.call;
  call.element = element;
  call.shape = {.kind = BlasKind::Gemm,
                .m = m,
                .n = n,
                .k = k,
                .transposesA = transA != 'N',
                .transposesB = transB != 'N',
                .scalesAlone = scales};
  call.transA = transA;
  call.transB = transB;
  call.alpha = alpha;
  call.beta = beta;
  call.operands = {matrixOf(a, rowsA, columnsA, lda, true, false), matrixOf(b, rowsB, columnsB, ldb, true, false),
                   matrixOf(c, m, n, ldc, beta != Scalar(0), true)};
  return asked;
}

Asked syrk(Element element, char uplo, char trans, int64_t n, int64_t k, Scalar alpha, const void *a, int64_t lda,
           Scalar beta, void *c, int64_t ldc) {
  Asked asked;
  uplo = upper(uplo);
  trans = transOf(element, trans);
  const int64_t rows = trans == 'N' ? n : k, columns = trans == 'N' ? k : n;
  asked.wrong = firstWrong({{1, isOneOf(uplo, "LU")},
                            {2, isOneOf(trans, "NT")},
                            {3, n >= 0},
                            {4, k >= 0},
                            {7, lda >= std::max<int64_t>(1, rows)},
                            {10, ldc >= std::max<int64_t>(1, n)}});
  const bool scales = alpha == Scalar(0) || k == 0;
  asked.hasWork = n > 0 && !(scales && beta == Scalar(1));
  Call &call = asked.call;
  call.element = element;
  call.shape = {.kind = BlasKind::Syrk,
                .n = n,
                .k = k,
                .transposesA = trans != 'N',
                .isLower = uplo == 'L',
                .scalesAlone = scales};
  call.transA = trans;
  call.uplo = uplo;
  call.alpha = alpha;
  call.beta = beta;
  call.operands = {matrixOf(a, rows, columns, lda, true, false), matrixOf(c, n, n, ldc, beta != Scalar(0), true)};
  return asked;
}

Asked trsm(Element element, char side, char uplo, char trans, char diag, int64_t m, int64_t n, Scalar alpha,
           const void *a, int64_t lda, void *b, int64_t ldb) {
  Asked asked;
  side = upper(side);
  uplo = upper(uplo);
  diag = upper(diag);
  trans = transOf(element, trans);
  const int64_t order = side == 'L' ? m : n;
  asked.wrong = firstWrong({{1, isOneOf(side, "LR")},
                            {2, isOneOf(uplo, "LU")},
                            {3, isOneOf(trans, "NTC")},
                            {4, isOneOf(diag, "NU")},
                            {5, m >= 0},
                            {6, n >= 0},
                            {9, lda >= std::max<int64_t>(1, order)},
                            {11, ldb >= std::max<int64_t>(1, m)}});
  asked.hasWork = m > 0 && n > 0;
  Call &call = asked.call;
  call.element = element;
  call.shape = {.kind = BlasKind::Trsm,
                .m = m,
                .n = n,
                .transposesA = trans != 'N',
                .isLower = uplo == 'L',
                .isLeft = side == 'L',
                .scalesAlone = alpha == Scalar(0)};
  call.transA = trans;
  call.side = side;
  call.uplo = uplo;
  call.diag = diag;
  call.alpha = alpha;
  call.operands = {matrixOf(a, order, order, lda, true, false), matrixOf(b, m, n, ldb, alpha != Scalar(0), true)};
  return asked;
}

} // namespace busfare::blas
