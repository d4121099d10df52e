//===- projection/Plausible.h - Machine files that cannot be meant --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A number in another unit than the file's is priced as if it were meant, and every verdict
// is wrong in silence. The limits are wide: no machine that was ever built, nor one that
// somebody imagines for the next decades, is outside.
//
//   gpu.dram_bandwidth_bytes_per_s: 1555   ->  1555 is implausible: between 1e+08 and 1e+15 are meant, in bytes per
//   second gpu.multiprocessors: 3.7               ->  3.7 is no whole number
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_PLAUSIBLE_H
#define BUSFARE_PROJECTION_PLAUSIBLE_H

#include "projection/Machine.h"
#include <string>
#include <vector>

namespace busfare::projection {

/// A sentence for each number that cannot be meant, `part.key: ...`.
std::vector<std::string> implausibleNumbers(const Machine &machine);

/// Keys that an object of the text has twice, `part.key`: which of the two holds would be a matter of chance.
std::vector<std::string> doubledKeys(llvm::StringRef json);

} // namespace busfare::projection

#endif
