//===- runtime-bench/compare/Writers.h - A comparison as CSV, table and plot ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   program,variant,kind,what,count,bytes,measured,projected,error_percent
//   hotspot,explicit,kernel,hotspot.c:41,4,,3e-05,1.005401e-05,-66.5
//
// measured and projected are seconds, of a speedup factors.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIME_BENCH_COMPARE_WRITERS_H
#define BUSFARE_RUNTIME_BENCH_COMPARE_WRITERS_H

#include "runtime-bench/compare/Errors.h"
#include "llvm/Support/raw_ostream.h"

namespace busfare::bench {

void writeCsv(const Comparison &comparison, llvm::raw_ostream &os);
void writeTable(const Comparison &comparison, llvm::raw_ostream &os);
/// SVG: measured against projected times, both logarithmic; on the diagonal they agree.
void writePlot(const Comparison &comparison, llvm::raw_ostream &os);

/// A machine file with errors.kernel, transfer and cpu as this comparison has them; of kinds with fewer than
/// leastSamples rows they stay. changed: which were set, for messages. Errors: no machine file.
inline constexpr size_t leastSamples = 3;
llvm::Expected<std::string> withErrors(llvm::StringRef machineText, llvm::StringRef file, const Comparison &comparison,
                                       std::vector<std::string> &changed);

} // namespace busfare::bench

#endif
