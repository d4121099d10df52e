//===- runtime-bench/blas/Call.cpp - One BLAS call ------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Call.h"

namespace busfare::blas {

std::string Call::name() const { return std::string(1, letterOf(element)) + nameOf(shape.kind); }

TileKernel kernelOf(const Call &call, const KernelOf &step) {
  TileKernel kernel;
  kernel.work = step.work;
  kernel.element = call.element;
  kernel.uplo = call.uplo;
  kernel.side = call.side;
  kernel.diag = call.diag;
  kernel.conjugates = call.conjugates;
  const bool isSolve = call.shape.kind == BlasKind::Trsm;
  const char transposed = call.transA == 'C' ? 'C' : 'T';
  kernel.transA = step.transposesA ? transposed : 'N';
  kernel.transB = !step.transposesB                   ? 'N'
                  : call.shape.kind == BlasKind::Gemm ? call.transB
                  : call.shape.kind == BlasKind::Syrk ? 'T'
                                                      : transposed;
  kernel.m = step.m;
  kernel.n = step.n;
  kernel.k = step.k;
  kernel.alpha = step.subtracts ? Scalar(-1) : isSolve && !step.isFirst ? Scalar(1) : call.alpha;
  kernel.beta = !step.isFirst ? Scalar(1) : isSolve ? call.alpha : call.beta;
  if (step.k == 0) kernel.alpha = 0;
  return kernel;
}

} // namespace busfare::blas
