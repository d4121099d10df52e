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
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

using namespace busfare::blas;

namespace {

/// What a variable says, in one of its words; said and ignored if it is none.
int choiceOf(const char *name, std::initializer_list<const char *> words) {
  const char *text = std::getenv(name);
  if (!text) return 0;
  int number = 0;
  for (const char *word : words) {
    if (!std::strcmp(text, word)) return number;
    ++number;
  }
  std::fprintf(stderr, "busfare-blas: %s=%s is none of its words, and is ignored\n", name, text);
  return 0;
}

long long numberOf(const char *name) {
  const char *text = std::getenv(name);
  if (!text) return 0;
  char *end = nullptr;
  const long long number = std::strtoll(text, &end, 10);
  if (*text && !*end && number >= 0) return number;
  std::fprintf(stderr, "busfare-blas: %s=%s is no whole number, and is ignored\n", name, text);
  return 0;
}

/// What the environment asks for: see README.md.
busfare_blas_options optionsOfEnvironment() {
  busfare_blas_options options{};
  options.machine = std::getenv("BUSFARE_BLAS_MACHINE");
  options.backend = std::getenv("BUSFARE_BLAS_BACKEND");
  options.device = int(numberOf("BUSFARE_BLAS_DEVICE"));
  options.tile = numberOf("BUSFARE_BLAS_TILE");
  options.copy_threads = int(numberOf("BUSFARE_BLAS_COPY_THREADS"));
  options.device_bytes = size_t(numberOf("BUSFARE_BLAS_DEVICE_BYTES"));
  options.cut = busfare_blas_cut(choiceOf("BUSFARE_BLAS_CUT", {"best", "tiles", "panels"}));
  options.where = busfare_blas_where(choiceOf("BUSFARE_BLAS_WHERE", {"auto", "device", "host"}));
  return options;
}

/// A child of fork has no threads of ours and no device: all it calls stays on the host.
std::atomic<bool> isChild = false;

/// Of the whole program.
struct Program {
  Context context{/*behindThis=*/true};
  std::string whyHost; ///< Why nothing runs on a device.
  std::string whyNothingStays;
  bool reports = false;

  Program() {
    const char *asked = std::getenv("BUSFARE_BLAS_REPORT");
    reports = asked && std::strcmp(asked, "0") != 0;
    if (context.start(optionsOfEnvironment(), whyHost) != Status::Ok) return;
    whyHost.clear();
    if (choiceOf("BUSFARE_BLAS_RESIDENCY", {"none", "watch"}) == 0) return;
    if (std::unique_ptr<MemoryWatch> watch = kernelWatch(whyNothingStays)) context.keepWhatComesAgain(std::move(watch));
  }
};

Program &program() {
  static Program *const only = [] {
    auto *made = new Program;
    pthread_atfork(nullptr, nullptr, [] { isChild = true; });
    std::atexit([] {
      if (isChild) return;
      Program &whole = program();
      if (whole.reports && whole.whyHost.empty()) whole.context.writeReport(stderr);
      else if (whole.reports) std::fprintf(stderr, "busfare-blas: all on the host: %s\n", whole.whyHost.c_str());
      if (whole.reports && !whole.whyNothingStays.empty())
        std::fprintf(stderr, "residency: none: %s\n", whole.whyNothingStays.c_str());
    });
    return made;
  }();
  return *only;
}

/// BLAS libraries call each other's names: what comes from inside a call is for the host.
thread_local bool isInside = false;

/// BLAS has no way to say that it failed, and going on with half a result would be worse.
[[noreturn]] void give(const char *what, const std::string &why) {
  std::fprintf(stderr, "busfare-blas: %s%s%s\n", what, why.empty() ? "" : ": ", why.c_str());
  std::abort();
}

void answer(const Asked &asked) {
  Program &whole = program();
  Status status = Status::Ok;
  std::string why;
  if (asked.wrong || isInside || isChild || !whole.whyHost.empty() || whole.context.isTooSmall(asked.call)) {
    if (asked.wrong || asked.hasWork) status = whole.context.runOnHost(asked.call);
    else zeroResult(asked.call);
  } else {
    isInside = true;
    status = whole.context.run(asked, why);
    isInside = false;
  }
  if (status != Status::Ok) give(busfare_blas_message(busfare_blas_status(status)), why);
}

/// What throws ends the program with a sentence: its callers are in C and Fortran.
template <class Ask> void run(Ask ask) noexcept {
  try {
    answer(ask());
  } catch (const std::exception &error) {
    give("the call could not be made", error.what());
  }
}

// CBLAS' numbers.
constexpr int rowMajor = 101;
char transOf(int number) {
  return number == 111 ? 'N' : number == 112 ? 'T' : number == 113 ? 'C' : number == 114 ? 'R' : '?';
}
char uploOf(int number) { return number == 121 ? 'U' : number == 122 ? 'L' : '?'; }
char diagOf(int number) { return number == 131 ? 'N' : number == 132 ? 'U' : '?'; }
char sideOf(int number) { return number == 141 ? 'L' : number == 142 ? 'R' : '?'; }
/// Of the transposed matrix; 'R', conjugated alone, is OpenBLAS' own.
char otherTrans(char trans) {
  return trans == 'N' ? 'T' : trans == 'T' || trans == 'C' ? 'N' : trans == 'R' ? 'C' : trans;
}
char otherUplo(char uplo) { return uplo == 'U' ? 'L' : uplo == 'L' ? 'U' : uplo; }
char otherSide(char side) { return side == 'L' ? 'R' : side == 'R' ? 'L' : side; }

Scalar scalarOf(float value, Element) { return value; }
Scalar scalarOf(double value, Element) { return value; }
Scalar scalarOf(const void *value, Element element) { return scalarAt(value, element); }

template <class Real> void conjugate(void *vector, int64_t length, int64_t step) {
  auto *values = static_cast<std::complex<Real> *>(vector);
  for (int64_t i = 0; i < length; ++i) values[i * std::abs(step)] = std::conj(values[i * std::abs(step)]);
}
void conjugate(Element element, void *vector, int64_t length, int64_t step) {
  element == Element::C ? conjugate<float>(vector, length, step) : conjugate<double>(vector, length, step);
}

/// y = a A* x + b y with A by rows: A* is the conjugate of the matrix by columns, so conj(y) = conj(a) A conj(x) +
/// conj(b) conj(y).
void gemvOfConjugate(Element element, int m, int n, Scalar alpha, const void *a, int lda, const void *x, int incx,
                     Scalar beta, void *y, int incy) {
  const size_t bytes = bytesOf(element), span = m > 0 ? size_t(m - 1) * size_t(std::abs(incx)) + 1 : 0;
  std::vector<char> copy(static_cast<const char *>(x), static_cast<const char *>(x) + span * bytes);
  conjugate(element, copy.data(), m, incx);
  conjugate(element, y, n, incy);
  run([&] { return gemv(element, 'N', n, m, std::conj(alpha), a, lda, copy.data(), incx, std::conj(beta), y, incy); });
  conjugate(element, y, n, incy);
}

template <class T> T sumOf(Element element, bool conjugates, int n, const void *x, int incx, const void *y, int incy) {
  T sum{};
  run([&] { return dot(element, conjugates, n, x, incx, y, incy, &sum); });
  return sum;
}

} // namespace

extern "C" {

#define ROUTINES(letter, E, S)                                                                                         \
  void letter##axpy_(const int *n, const void *alpha, const void *x, const int *incx, void *y, const int *incy) {      \
    run([&] { return axpy(E, *n, scalarAt(alpha, E), x, *incx, y, *incy); });                                          \
  }                                                                                                                    \
  void letter##gemv_(const char *trans, const int *m, const int *n, const void *alpha, const void *a, const int *lda,  \
                     const void *x, const int *incx, const void *beta, void *y, const int *incy) {                     \
    run([&] { return gemv(E, *trans, *m, *n, scalarAt(alpha, E), a, *lda, x, *incx, scalarAt(beta, E), y, *incy); });  \
  }                                                                                                                    \
  void letter##gemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,                 \
                     const void *alpha, const void *a, const int *lda, const void *b, const int *ldb,                  \
                     const void *beta, void *c, const int *ldc) {                                                      \
    run([&] {                                                                                                          \
      return gemm(E, *transa, *transb, *m, *n, *k, scalarAt(alpha, E), a, *lda, b, *ldb, scalarAt(beta, E), c, *ldc);  \
    });                                                                                                                \
  }                                                                                                                    \
  void letter##syrk_(const char *uplo, const char *trans, const int *n, const int *k, const void *alpha,               \
                     const void *a, const int *lda, const void *beta, void *c, const int *ldc) {                       \
    run([&] { return syrk(E, *uplo, *trans, *n, *k, scalarAt(alpha, E), a, *lda, scalarAt(beta, E), c, *ldc); });      \
  }                                                                                                                    \
  void letter##trsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,            \
                     const int *n, const void *alpha, const void *a, const int *lda, void *b, const int *ldb) {        \
    run([&] { return trsm(E, *side, *uplo, *trans, *diag, *m, *n, scalarAt(alpha, E), a, *lda, b, *ldb); });           \
  }                                                                                                                    \
  void cblas_##letter##axpy(int n, S alpha, const void *x, int incx, void *y, int incy) {                              \
    run([&] { return axpy(E, n, scalarOf(alpha, E), x, incx, y, incy); });                                             \
  }                                                                                                                    \
  void cblas_##letter##gemv(int order, int trans, int m, int n, S alpha, const void *a, int lda, const void *x,        \
                            int incx, S beta, void *y, int incy) {                                                     \
    const Scalar p = scalarOf(alpha, E), q = scalarOf(beta, E);                                                        \
    if (order != rowMajor) return run([&] { return gemv(E, transOf(trans), m, n, p, a, lda, x, incx, q, y, incy); });  \
    if (isComplex(E) && transOf(trans) == 'C') return gemvOfConjugate(E, m, n, p, a, lda, x, incx, q, y, incy);        \
    run([&] { return gemv(E, otherTrans(transOf(trans)), n, m, p, a, lda, x, incx, q, y, incy); });                    \
  }                                                                                                                    \
  void cblas_##letter##gemm(int order, int transa, int transb, int m, int n, int k, S alpha, const void *a, int lda,   \
                            const void *b, int ldb, S beta, void *c, int ldc) {                                        \
    const Scalar p = scalarOf(alpha, E), q = scalarOf(beta, E);                                                        \
    if (order == rowMajor)                                                                                             \
      run([&] { return gemm(E, transOf(transb), transOf(transa), n, m, k, p, b, ldb, a, lda, q, c, ldc); });           \
    else run([&] { return gemm(E, transOf(transa), transOf(transb), m, n, k, p, a, lda, b, ldb, q, c, ldc); });        \
  }                                                                                                                    \
  void cblas_##letter##syrk(int order, int uplo, int trans, int n, int k, S alpha, const void *a, int lda, S beta,     \
                            void *c, int ldc) {                                                                        \
    const char u = uploOf(uplo), t = transOf(trans);                                                                   \
    const bool byRows = order == rowMajor;                                                                             \
    run([&] {                                                                                                          \
      return syrk(E, byRows ? otherUplo(u) : u, byRows && !(isComplex(E) && t == 'C') ? otherTrans(t) : t, n, k,       \
                  scalarOf(alpha, E), a, lda, scalarOf(beta, E), c, ldc);                                              \
    });                                                                                                                \
  }                                                                                                                    \
  void cblas_##letter##trsm(int order, int side, int uplo, int trans, int diag, int m, int n, S alpha, const void *a,  \
                            int lda, void *b, int ldb) {                                                               \
    const char s = sideOf(side), u = uploOf(uplo), t = transOf(trans), d = diagOf(diag);                               \
    const Scalar p = scalarOf(alpha, E);                                                                               \
    if (order == rowMajor) run([&] { return trsm(E, otherSide(s), otherUplo(u), t, d, n, m, p, a, lda, b, ldb); });    \
    else run([&] { return trsm(E, s, u, t, d, m, n, p, a, lda, b, ldb); });                                            \
  }
ROUTINES(s, Element::S, float)
ROUTINES(d, Element::D, double)
ROUTINES(c, Element::C, const void *)
ROUTINES(z, Element::Z, const void *)
#undef ROUTINES

#define DOT(name, E, T, conjugates)                                                                                    \
  T name##_(const int *n, const void *x, const int *incx, const void *y, const int *incy) {                            \
    return sumOf<T>(E, conjugates, *n, x, *incx, y, *incy);                                                            \
  }
DOT(sdot, Element::S, float, false)
DOT(ddot, Element::D, double, false)
DOT(cdotu, Element::C, std::complex<float>, false)
DOT(cdotc, Element::C, std::complex<float>, true)
DOT(zdotu, Element::Z, std::complex<double>, false)
DOT(zdotc, Element::Z, std::complex<double>, true)
#undef DOT

float cblas_sdot(int n, const float *x, int incx, const float *y, int incy) {
  return sumOf<float>(Element::S, false, n, x, incx, y, incy);
}
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy) {
  return sumOf<double>(Element::D, false, n, x, incx, y, incy);
}

#define DOT_SUB(name, E, conjugates)                                                                                   \
  void cblas_##name##_sub(int n, const void *x, int incx, const void *y, int incy, void *result) {                     \
    run([&] { return dot(E, conjugates, n, x, incx, y, incy, result); });                                              \
  }
DOT_SUB(cdotu, Element::C, false)
DOT_SUB(cdotc, Element::C, true)
DOT_SUB(zdotu, Element::Z, false)
DOT_SUB(zdotc, Element::Z, true)
#undef DOT_SUB

} // extern "C"
