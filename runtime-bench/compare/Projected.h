//===- runtime-bench/compare/Projected.h - What a report says of times --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The figures of `busfare analyze --format json` that a run can be held against: kernels by
// their lines, seconds of copies, the plan by each strategy that has a price, the host.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIME_BENCH_COMPARE_PROJECTED_H
#define BUSFARE_RUNTIME_BENCH_COMPARE_PROJECTED_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace busfare::bench {

/// All launches of a loop nest, by whatever calls they come.
struct ProjectedKernel {
  std::string file;
  long line = 0;
  bool onDevice = true; ///< By the plan.
  double launches = 0;
  double seconds = 0; ///< Of all launches.
};

struct ProjectedRegion {
  std::string id;
  double runs = 1; ///< Of the region in the process.
  double host = 0; ///< s of one run, as written.
  double h2d = 0, d2h = 0; ///< s of one run.
  std::map<std::string, double> strategies; ///< s of one run by explicit, streams, mapped, hybrid: those with a price.
  std::map<std::string, std::string> whyNot; ///< Of the others.
};

struct ProjectedProgram {
  std::string machine;
  bool isPinned = true; ///< The memory that the first region's plan copies from.
  std::vector<ProjectedKernel> kernels; ///< By file and line.
  std::vector<ProjectedRegion> regions;
};

/// Errors: no JSON, no report, a report without regions.
llvm::Expected<ProjectedProgram> readProjected(llvm::StringRef text, llvm::StringRef file);

} // namespace busfare::bench

#endif
