//===- runtime-bench/blas/HostBlas.cpp - The BLAS of the host -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/HostBlas.h"
#include "runtime-bench/blas/Scalars.h"
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace busfare::blas {
namespace {

using Char = const char *;
using Int = const int *;
using Any = const void *;
// As Fortran has them, with the lengths of the characters at the end.
using Gemm = void (*)(Char, Char, Int, Int, Int, Any, Any, Int, Any, Int, Any, void *, Int, size_t, size_t);
using Gemv = void (*)(Char, Int, Int, Any, Any, Int, Any, Int, Any, void *, Int, size_t);
using Syrk = void (*)(Char, Char, Int, Int, Any, Any, Int, Any, void *, Int, size_t, size_t);
using Trsm = void (*)(Char, Char, Char, Char, Int, Int, Any, Any, Int, void *, Int, size_t, size_t, size_t, size_t);
using Axpy = void (*)(Int, Any, Any, Int, void *, Int);
template <class Sum> using Dot = Sum (*)(Int, Any, Int, Any, Int);

bool isInt(int64_t value) { return value >= INT_MIN && value <= INT_MAX; }

/// A vector as BLAS wants it: where its lowest address is.
struct Vector {
  char *at;
  int step;
};
Vector vectorOf(const View &view, int64_t count, size_t elementBytes) {
  char *at = view.at;
  if (view.rowStride < 0) at += view.rowStride * (count - 1) * int64_t(elementBytes);
  return {at, int(view.rowStride)};
}

template <class Sum> void dot(void *symbol, int n, const Vector &x, const Vector &y, void *result) {
  // std::complex is returned as _Complex is: two doubles in two registers, two floats in one.
  const Sum sum = reinterpret_cast<Dot<Sum>>(symbol)(&n, x.at, &x.step, y.at, &y.step);
  std::memcpy(result, &sum, sizeof sum);
}

} // namespace

HostBlas::HostBlas(bool behindThis) {
  void *library = nullptr;
  if (behindThis && dlsym(RTLD_NEXT, "dgemm_")) {
    library = RTLD_NEXT;
  } else {
    // Of one that is named no other takes the place.
    const char *named = std::getenv("BUSFARE_BLAS_HOST");
    for (const char *name : {named ? named : "libopenblas.so.0", named ? named : "libblas.so.3"})
      if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
  }
  isComplete = true;
  for (int element = 0; element < 4; ++element) {
    const char letter = letterOf(Element(element));
    const bool isComplexType = element >= 2;
    for (int kind = 0; kind < 7; ++kind) {
      std::string name = kind == 6 ? "dotc" : kind == 1 && isComplexType ? "dotu" : nameOf(BlasKind(kind));
      if (kind == 6 && !isComplexType) continue;
      symbols[element][kind] = dlsym(library, (letter + name + "_").c_str());
      isComplete &= symbols[element][kind] != nullptr;
    }
  }
}

Status HostBlas::run(const TileKernel &kernel) const {
  if (!isComplete) return Status::NoHostBlas;
  const size_t bytes = bytesOf(kernel.element);
  for (int64_t each :
       {kernel.m, kernel.n, kernel.k, kernel.a.columnStride, kernel.b.columnStride, kernel.c.columnStride})
    if (!isInt(each)) return Status::InvalidArgument;
  const int m = int(kernel.m), n = int(kernel.n), k = int(kernel.k);
  const StoredScalar alpha(kernel.alpha, kernel.element), beta(kernel.beta, kernel.element);
  // Nothing is read of an operand that is not there, but its leading dimension is checked.
  const int any = std::max({m, n, k, 1});
  auto leading = [&](const View &view) { return view.at ? int(view.columnStride) : any; };
  const int lda = leading(kernel.a), ldb = leading(kernel.b), ldc = leading(kernel.c);
  void *symbol = symbols[int(kernel.element)][kernel.conjugates && isComplex(kernel.element) ? 6 : int(kernel.work)];
  switch (kernel.work) {
  case BlasKind::Axpy: {
    const Vector x = vectorOf(kernel.a, n, bytes), y = vectorOf(kernel.c, n, bytes);
    reinterpret_cast<Axpy>(symbol)(&n, alpha.at(), x.at, &x.step, y.at, &y.step);
    break;
  }
  case BlasKind::Dot: {
    const Vector x = vectorOf(kernel.a, n, bytes), y = vectorOf(kernel.c, n, bytes);
    switch (kernel.element) {
    case Element::S: dot<float>(symbol, n, x, y, kernel.sum); break;
    case Element::D: dot<double>(symbol, n, x, y, kernel.sum); break;
    case Element::C: dot<std::complex<float>>(symbol, n, x, y, kernel.sum); break;
    case Element::Z: dot<std::complex<double>>(symbol, n, x, y, kernel.sum); break;
    }
    break;
  }
  case BlasKind::Gemv: {
    const bool isPlain = kernel.transA == 'N';
    const Vector x = vectorOf(kernel.b, isPlain ? n : m, bytes), y = vectorOf(kernel.c, isPlain ? m : n, bytes);
    reinterpret_cast<Gemv>(symbol)(&kernel.transA, &m, &n, alpha.at(), kernel.a.at, &lda, x.at, &x.step, beta.at(),
                                   y.at, &y.step, 1);
    break;
  }
  case BlasKind::Gemm:
    reinterpret_cast<Gemm>(symbol)(&kernel.transA, &kernel.transB, &m, &n, &k, alpha.at(), kernel.a.at, &lda,
                                   kernel.b.at, &ldb, beta.at(), kernel.c.at, &ldc, 1, 1);
    break;
  case BlasKind::Syrk:
    reinterpret_cast<Syrk>(symbol)(&kernel.uplo, &kernel.transA, &n, &k, alpha.at(), kernel.a.at, &lda, beta.at(),
                                   kernel.c.at, &ldc, 1, 1);
    break;
  case BlasKind::Trsm:
    reinterpret_cast<Trsm>(symbol)(&kernel.side, &kernel.uplo, &kernel.transA, &kernel.diag, &m, &n, alpha.at(),
                                   kernel.a.at, &lda, kernel.c.at, &ldc, 1, 1, 1, 1);
    break;
  }
  return Status::Ok;
}

bool HostBlas::takes(const Call &call) {
  for (const Operand &operand : call.operands)
    if (!isInt(operand.view.rowStride) || !isInt(operand.view.columnStride)) return false;
  return isInt(call.shape.m) && isInt(call.shape.n) && isInt(call.shape.k);
}

Status HostBlas::run(const Call &call) const {
  if (!takes(call)) return Status::InvalidArgument;
  TileKernel kernel;
  kernel.work = call.shape.kind;
  kernel.element = call.element;
  kernel.transA = call.transA;
  kernel.transB = call.transB;
  kernel.uplo = call.uplo;
  kernel.side = call.side;
  kernel.diag = call.diag;
  kernel.conjugates = call.conjugates;
  kernel.m = call.shape.m;
  kernel.n = call.shape.n;
  kernel.k = call.shape.k;
  kernel.alpha = call.alpha;
  kernel.beta = call.beta;
  kernel.a = call.operands.front().view;
  if (call.operands.size() == 3) kernel.b = call.operands[1].view;
  kernel.c = call.operands.back().view;
  kernel.sum = call.result;
  return run(kernel);
}

} // namespace busfare::blas
