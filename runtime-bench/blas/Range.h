//===- runtime-bench/blas/Range.h - Bytes of memory that lie in one piece ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// [from, to): [a, a + 8) and [a + 8, a + 16) do not overlap.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_RANGE_H
#define BUSFARE_RUNTIMEBENCH_BLAS_RANGE_H

#include <cstddef>

namespace busfare::blas {

struct Range {
  const char *from = nullptr, *to = nullptr;
  size_t bytes() const { return size_t(to - from); }
};

inline bool overlap(const Range &left, const Range &right) { return left.from < right.to && right.from < left.to; }

} // namespace busfare::blas

#endif
