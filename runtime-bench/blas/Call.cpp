//===- runtime-bench/blas/Call.cpp - One BLAS call ------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Call.h"

namespace busfare::blas {

std::string Call::name() const {
  static const char *const names[] = {"axpy", "dot", "gemv", "gemm", "syrk", "trsm"};
  return std::string(1, "sdcz"[int(element)]) + names[int(shape.kind)];
}

} // namespace busfare::blas
