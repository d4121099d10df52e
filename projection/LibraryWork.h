//===- projection/LibraryWork.h - What a BLAS call does on the host -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations and bytes of one call of a BLAS routine, from its dimensions, and the time
// it takes on the host: the larger of arithmetic at the peak of all cores and bytes at the
// bandwidth of the memory.
//
//   dgemm, m = n = k = 1024, 10 cores of 35 GFLOP/s and 86 GB/s:
//     2.1 GFLOP / 352 GFLOP/s = 6.1 ms; 33.6 MB / 86 GB/s = 0.4 ms; so 6.1 ms
//
// A library that runs on all cores and reaches their peak is the fastest there is: a real
// one takes longer, more so for small sizes. Does not handle: caches that hold the
// operands (level 1 and 2 are faster then), routines that are not in the table (no time).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_LIBRARYWORK_H
#define BUSFARE_PROJECTION_LIBRARYWORK_H

#include "projection/Machine.h"
#include "skeleton/Expr.h"
#include "skeleton/Message.h"
#include <optional>

namespace busfare::projection {

/// Of one call; nothing: a dimension is not known, or the routine.
struct LibraryWork {
  std::optional<double> flops; ///< A fused multiply-add is two.
  std::optional<double> bytes; ///< Of the operands, each once, what is changed twice.
};

/// m, n, k of a call; those it has.
struct LibrarySizes {
  std::optional<double> m, n, k;
};

LibraryWork libraryWork(llvm::StringRef routine, const LibrarySizes &sizes);
LibraryWork libraryWork(const skeleton::LibraryCall &call, const skeleton::RealValues &values);

/// s on all cores of the host; 0 where the work is not known.
double libraryTime(llvm::StringRef routine, const LibraryWork &work, const Host &host);

} // namespace busfare::projection

#endif
