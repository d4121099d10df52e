//===- runtime-bench/blas/Preload.cpp - BLAS' own names -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The Fortran and CBLAS names of the routines, for programs that know nothing of this
// library. A call that is too small for the bus whatever it reads goes straight to the BLAS
// behind this one; so do arguments that are wrong, which that one answers as it always did.
// Row-major calls are the column-major ones of the transposed matrices.
//
// One context serves the whole program, made by the first call: a preloaded library has
// nobody else to keep it. It is never taken down, because the libraries that it would need
// for that may be gone by then; its report is written when the program exits.
//
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Context.h"
#include "runtime-bench/blas/Scalars.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace busfare::blas;

namespace {

/// What the environment asks for: see README.md.
busfare_blas_options optionsOfEnvironment() {
  busfare_blas_options options{};
  options.machine = std::getenv("BUSFARE_BLAS_MACHINE");
  options.backend = std::getenv("BUSFARE_BLAS_BACKEND");
  auto number = [](const char *name) {
    const char *text = std::getenv(name);
    return text ? std::strtoll(text, nullptr, 10) : 0;
  };
  options.device = int(number("BUSFARE_BLAS_DEVICE"));
  options.tile = number("BUSFARE_BLAS_TILE");
  options.copy_threads = int(number("BUSFARE_BLAS_COPY_THREADS"));
  options.device_bytes = size_t(std::max(0LL, number("BUSFARE_BLAS_DEVICE_BYTES")));
  if (const char *cut = std::getenv("BUSFARE_BLAS_CUT"))
    options.cut = !std::strcmp(cut, "tiles") ? BUSFARE_BLAS_TILES : !std::strcmp(cut, "panels") ? BUSFARE_BLAS_PANELS : BUSFARE_BLAS_BEST;
  if (const char *where = std::getenv("BUSFARE_BLAS_WHERE"))
    options.where = !std::strcmp(where, "device") ? BUSFARE_BLAS_DEVICE : !std::strcmp(where, "host") ? BUSFARE_BLAS_HOST : BUSFARE_BLAS_AUTO;
  return options;
}

/// Of the whole program.
struct Program {
  Context context{/*behindThis=*/true};
  HostBlas host{/*behindThis=*/true};
  std::string whyHost; ///< Why nothing runs on a device.
  bool reports = false;

  Program() {
    const char *asked = std::getenv("BUSFARE_BLAS_REPORT");
    reports = asked && std::strcmp(asked, "0") != 0;
    if (context.start(optionsOfEnvironment(), whyHost) == Status::Ok)
      whyHost.clear();
  }
};

Program &program() {
  static Program *const only = [] {
    auto *made = new Program;
    std::atexit([] {
      Program &whole = program();
      if (whole.reports && whole.whyHost.empty())
        whole.context.writeReport(stderr);
      else if (whole.reports)
        std::fprintf(stderr, "busfare-blas: all on the host: %s\n", whole.whyHost.c_str());
    });
    return made;
  }();
  return *only;
}

/// BLAS libraries call each other's names: what comes from inside a call is for the host.
thread_local bool isInside = false;

void run(const Asked &asked) {
  Program &whole = program();
  const bool wasInside = isInside;
  isInside = true;
  Status status = Status::Ok;
  std::string why;
  if (asked.wrong || wasInside || !whole.whyHost.empty() || whole.context.isTooSmall(asked.call)) {
    if (asked.wrong || asked.hasWork)
      status = whole.host.run(asked.call);
    else
      zeroResult(asked.call);
  } else {
    status = whole.context.run(asked, why);
  }
  isInside = wasInside;
  if (status == Status::Ok)
    return;
  // BLAS has no way to say that it failed, and going on with half a result would be worse.
  std::fprintf(stderr, "busfare-blas: %s%s%s\n", busfare_blas_message(busfare_blas_status(status)), why.empty() ? "" : ": ", why.c_str());
  std::abort();
}

// CBLAS' numbers.
constexpr int rowMajor = 101;
char transOf(int number) { return number == 111 ? 'N' : number == 112 ? 'T' : number == 113 ? 'C' : '?'; }
char uploOf(int number) { return number == 121 ? 'U' : number == 122 ? 'L' : '?'; }
char diagOf(int number) { return number == 131 ? 'N' : number == 132 ? 'U' : '?'; }
char sideOf(int number) { return number == 141 ? 'L' : number == 142 ? 'R' : '?'; }
/// Of the transposed matrix.
char otherTrans(char trans) { return trans == 'N' ? 'T' : trans == 'T' || trans == 'C' ? 'N' : trans; }
char otherUplo(char uplo) { return uplo == 'U' ? 'L' : uplo == 'L' ? 'U' : uplo; }
char otherSide(char side) { return side == 'L' ? 'R' : side == 'R' ? 'L' : side; }

Scalar scalarOf(float value, Element) { return value; }
Scalar scalarOf(double value, Element) { return value; }
Scalar scalarOf(const void *value, Element element) { return scalarAt(value, element); }

template <class Real> void conjugate(void *vector, int64_t length, int64_t step) {
  auto *values = static_cast<std::complex<Real> *>(vector);
  for (int64_t i = 0; i < length; ++i)
    values[i * std::abs(step)] = std::conj(values[i * std::abs(step)]);
}
void conjugate(Element element, void *vector, int64_t length, int64_t step) {
  element == Element::C ? conjugate<float>(vector, length, step) : conjugate<double>(vector, length, step);
}

/// y = a A* x + b y with A by rows: A* is the conjugate of the matrix by columns, so conj(y) = conj(a) A conj(x) + conj(b) conj(y).
void gemvOfConjugate(Element element, int m, int n, Scalar alpha, const void *a, int lda, const void *x, int incx, Scalar beta, void *y,
                     int incy) {
  const size_t bytes = bytesOf(element), span = m > 0 ? size_t(m - 1) * size_t(std::abs(incx)) + 1 : 0;
  std::vector<char> copy(static_cast<const char *>(x), static_cast<const char *>(x) + span * bytes);
  conjugate(element, copy.data(), m, incx);
  conjugate(element, y, n, incy);
  run(gemv(element, 'N', n, m, std::conj(alpha), a, lda, copy.data(), incx, std::conj(beta), y, incy));
  conjugate(element, y, n, incy);
}

template <class T> T sumOf(Element element, bool conjugates, int n, const void *x, int incx, const void *y, int incy) {
  T sum{};
  run(dot(element, conjugates, n, x, incx, y, incy, &sum));
  return sum;
}

} // namespace

extern "C" {

#define ROUTINES(letter, E, S)                                                                                                         \
  void letter##axpy_(const int *n, const void *alpha, const void *x, const int *incx, void *y, const int *incy) {                      \
    run(axpy(E, *n, scalarAt(alpha, E), x, *incx, y, *incy));                                                                          \
  }                                                                                                                                    \
  void letter##gemv_(const char *trans, const int *m, const int *n, const void *alpha, const void *a, const int *lda, const void *x,   \
                     const int *incx, const void *beta, void *y, const int *incy) {                                                    \
    run(gemv(E, *trans, *m, *n, scalarAt(alpha, E), a, *lda, x, *incx, scalarAt(beta, E), y, *incy));                                  \
  }                                                                                                                                    \
  void letter##gemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k, const void *alpha,              \
                     const void *a, const int *lda, const void *b, const int *ldb, const void *beta, void *c, const int *ldc) {        \
    run(gemm(E, *transa, *transb, *m, *n, *k, scalarAt(alpha, E), a, *lda, b, *ldb, scalarAt(beta, E), c, *ldc));                      \
  }                                                                                                                                    \
  void letter##syrk_(const char *uplo, const char *trans, const int *n, const int *k, const void *alpha, const void *a,                \
                     const int *lda, const void *beta, void *c, const int *ldc) {                                                      \
    run(syrk(E, *uplo, *trans, *n, *k, scalarAt(alpha, E), a, *lda, scalarAt(beta, E), c, *ldc));                                      \
  }                                                                                                                                    \
  void letter##trsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,              \
                     const void *alpha, const void *a, const int *lda, void *b, const int *ldb) {                                      \
    run(trsm(E, *side, *uplo, *trans, *diag, *m, *n, scalarAt(alpha, E), a, *lda, b, *ldb));                                           \
  }                                                                                                                                    \
  void cblas_##letter##axpy(int n, S alpha, const void *x, int incx, void *y, int incy) {                                              \
    run(axpy(E, n, scalarOf(alpha, E), x, incx, y, incy));                                                                             \
  }                                                                                                                                    \
  void cblas_##letter##gemv(int order, int trans, int m, int n, S alpha, const void *a, int lda, const void *x, int incx, S beta,      \
                            void *y, int incy) {                                                                                       \
    const Scalar p = scalarOf(alpha, E), q = scalarOf(beta, E);                                                                        \
    if (order != rowMajor)                                                                                                             \
      return run(gemv(E, transOf(trans), m, n, p, a, lda, x, incx, q, y, incy));                                                       \
    if (isComplex(E) && transOf(trans) == 'C')                                                                                         \
      return gemvOfConjugate(E, m, n, p, a, lda, x, incx, q, y, incy);                                                                 \
    run(gemv(E, otherTrans(transOf(trans)), n, m, p, a, lda, x, incx, q, y, incy));                                                    \
  }                                                                                                                                    \
  void cblas_##letter##gemm(int order, int transa, int transb, int m, int n, int k, S alpha, const void *a, int lda, const void *b,    \
                            int ldb, S beta, void *c, int ldc) {                                                                       \
    const Scalar p = scalarOf(alpha, E), q = scalarOf(beta, E);                                                                        \
    if (order == rowMajor)                                                                                                             \
      run(gemm(E, transOf(transb), transOf(transa), n, m, k, p, b, ldb, a, lda, q, c, ldc));                                           \
    else                                                                                                                               \
      run(gemm(E, transOf(transa), transOf(transb), m, n, k, p, a, lda, b, ldb, q, c, ldc));                                           \
  }                                                                                                                                    \
  void cblas_##letter##syrk(int order, int uplo, int trans, int n, int k, S alpha, const void *a, int lda, S beta, void *c, int ldc) { \
    const char u = uploOf(uplo), t = transOf(trans);                                                                                   \
    const bool byRows = order == rowMajor;                                                                                             \
    run(syrk(E, byRows ? otherUplo(u) : u, byRows ? otherTrans(t) : t, n, k, scalarOf(alpha, E), a, lda, scalarOf(beta, E), c, ldc));  \
  }                                                                                                                                    \
  void cblas_##letter##trsm(int order, int side, int uplo, int trans, int diag, int m, int n, S alpha, const void *a, int lda,         \
                            void *b, int ldb) {                                                                                        \
    const char s = sideOf(side), u = uploOf(uplo), t = transOf(trans), d = diagOf(diag);                                               \
    const Scalar p = scalarOf(alpha, E);                                                                                               \
    if (order == rowMajor)                                                                                                             \
      run(trsm(E, otherSide(s), otherUplo(u), t, d, n, m, p, a, lda, b, ldb));                                                         \
    else                                                                                                                               \
      run(trsm(E, s, u, t, d, m, n, p, a, lda, b, ldb));                                                                               \
  }
ROUTINES(s, Element::S, float)
ROUTINES(d, Element::D, double)
ROUTINES(c, Element::C, const void *)
ROUTINES(z, Element::Z, const void *)
#undef ROUTINES

#define DOT(name, E, T, conjugates)                                                                                                    \
  T name##_(const int *n, const void *x, const int *incx, const void *y, const int *incy) {                                            \
    return sumOf<T>(E, conjugates, *n, x, *incx, y, *incy);                                                                            \
  }
DOT(sdot, Element::S, float, false)
DOT(ddot, Element::D, double, false)
DOT(cdotu, Element::C, std::complex<float>, false)
DOT(cdotc, Element::C, std::complex<float>, true)
DOT(zdotu, Element::Z, std::complex<double>, false)
DOT(zdotc, Element::Z, std::complex<double>, true)
#undef DOT

float cblas_sdot(int n, const float *x, int incx, const float *y, int incy) { return sumOf<float>(Element::S, false, n, x, incx, y, incy); }
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy) { return sumOf<double>(Element::D, false, n, x, incx, y, incy); }

#define DOT_SUB(name, E, conjugates)                                                                                                   \
  void cblas_##name##_sub(int n, const void *x, int incx, const void *y, int incy, void *result) {                                     \
    run(dot(E, conjugates, n, x, incx, y, incy, result));                                                                              \
  }
DOT_SUB(cdotu, Element::C, false)
DOT_SUB(cdotc, Element::C, true)
DOT_SUB(zdotu, Element::Z, false)
DOT_SUB(zdotc, Element::Z, true)
#undef DOT_SUB

} // extern "C"
