//===- projection/LibraryWork.cpp - What a BLAS call does on the host -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/LibraryWork.h"
#include "skeleton/Skeleton.h"
#include <algorithm>

namespace busfare::projection {

namespace {

bool isComplex(llvm::StringRef routine) { return routine.starts_with("c") || routine.starts_with("z"); }

/// Of a real routine; kind: without its type.
std::optional<double> flopsOf(llvm::StringRef kind, const LibrarySizes &sizes) {
  const auto &[m, n, k] = sizes;
  if (!n) return std::nullopt;
  if (kind == "copy" || kind == "swap") return 0;
  if (kind == "scal" || kind == "asum") return *n;
  if (kind == "axpy" || kind == "dot" || kind == "nrm2") return 2 * *n;
  if (kind == "symv") return 2 * *n * *n;
  if (kind == "trsv" || kind == "trmv") return *n * *n;
  if ((kind == "syrk" || kind == "syr2k") && k) return (kind == "syrk" ? 1 : 2) * *n * (*n + 1) * *k;
  if (!m) return std::nullopt;
  if (kind == "gemv" || kind == "ger") return 2 * *m * *n;
  if (kind == "gemm" && k) return 2 * *m * *n * *k;
  // The triangular or symmetric matrix is taken to stand on the left.
  if (kind == "trsm" || kind == "trmm") return *m * *m * *n;
  if (kind == "symm") return 2 * *m * *m * *n;
  return std::nullopt;
}

/// Elements, those that are changed twice.
std::optional<double> elementsOf(llvm::StringRef kind, const LibrarySizes &sizes) {
  const auto &[m, n, k] = sizes;
  if (!n) return std::nullopt;
  if (kind == "dot" || kind == "copy" || kind == "scal") return 2 * *n;
  if (kind == "nrm2" || kind == "asum") return *n;
  if (kind == "axpy") return 3 * *n;
  if (kind == "swap") return 4 * *n;
  if (kind == "symv" || kind == "trsv" || kind == "trmv") return *n * *n + 3 * *n;
  if ((kind == "syrk" || kind == "syr2k") && k) return (kind == "syrk" ? 1 : 2) * *n * *k + 2 * *n * *n;
  if (!m) return std::nullopt;
  if (kind == "gemv") return *m * *n + *n + 2 * *m;
  if (kind == "ger") return 2 * *m * *n + *m + *n;
  if (kind == "gemm" && k) return *m * *k + *k * *n + 2 * *m * *n;
  if (kind == "trsm" || kind == "trmm") return *m * *m + 2 * *m * *n;
  if (kind == "symm") return *m * *m + 3 * *m * *n;
  return std::nullopt;
}

} // namespace

LibraryWork libraryWork(llvm::StringRef routine, const LibrarySizes &sizes) {
  llvm::StringRef kind = routine.drop_front(routine.empty() ? 0 : 1);
  LibraryWork work{flopsOf(kind, sizes), elementsOf(kind, sizes)};
  if (work.flops) *work.flops *= isComplex(routine) ? 4 : 1; // four multiplications and four additions for one of each
  if (work.bytes) *work.bytes *= routine.starts_with("s") ? 4 : routine.starts_with("z") ? 16 : 8;
  return work;
}

LibraryWork libraryWork(const skeleton::LibraryCall &call, const skeleton::RealValues &values) {
  LibrarySizes sizes;
  for (const auto &[name, expr] : call.dimensions)
    for (auto [letter, size] : {std::pair("m", &sizes.m), {"n", &sizes.n}, {"k", &sizes.k}})
      if (std::optional<double> value = name == letter && expr ? expr->evaluateReal(values) : std::nullopt)
        *size = std::max(0.0, *value);
  return libraryWork(call.routine, sizes);
}

double libraryTime(llvm::StringRef routine, const LibraryWork &work, const Host &host) {
  if (!work.flops || !work.bytes) return 0;
  double elementBytes = routine.starts_with("s") || routine.starts_with("c") ? 4 : 8;
  double rate =
      host.cores * host.clock * host.vectorPipes * (host.simdBytes / elementBytes) * (1 + host.fusedMultiplyAdd);
  return std::max(*work.flops / rate, *work.bytes / host.dramBandwidth);
}

} // namespace busfare::projection
