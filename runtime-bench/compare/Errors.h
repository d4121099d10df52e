//===- runtime-bench/compare/Errors.h - Projected against measured ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Joins what ran with what was projected, a row each:
//
//   hotspot explicit kernel    hotspot.c:41  4 launches  measured 30 us  projected 10 us  -67 %
//   hotspot explicit transfer  h2d 262144 B  2 copies    measured 36 us  projected 33 us   -8 %
//   hotspot explicit copies    h2d                       all of them, as the report has them
//   hotspot explicit plan                                from the first copy to the end of the last
//   hotspot one-thread host    hotspot.c:78:main         the region on the host
//   hotspot explicit speedup   one-thread                host over plan
//
// The error of a row is signed: projected / measured - 1. Below zero the projection was too
// optimistic (of a speedup: too pessimistic).
//
// Kernels are told apart by lines: a port keeps the order of the nests of a file, so the
// k-th construct that ran is the k-th kernel of the report. Where the numbers differ, or
// kernels come from several files, only their sum is compared, and that is said.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIME_BENCH_COMPARE_ERRORS_H
#define BUSFARE_RUNTIME_BENCH_COMPARE_ERRORS_H

#include "projection/Link.h"
#include "runtime-bench/compare/Measured.h"
#include "runtime-bench/compare/Projected.h"

namespace busfare::bench {

enum class RowKind {
  Kernel,   ///< One launch, mean of all.
  Kernels,  ///< All launches of all kernels.
  Transfer, ///< One copy of a size, mean of all.
  Copies,   ///< All copies of a direction.
  Plan,     ///< A variant as a whole.
  Host,     ///< A region on the host.
  Speedup,  ///< A host's time over a plan's; no seconds.
};
llvm::StringRef toString(RowKind kind);

struct ErrorRow {
  std::string program, variant;
  RowKind kind = RowKind::Kernel;
  std::string what;
  double count = 1;
  double bytes = 0; ///< Of a copy; 0: of none.
  double measured = 0, projected = 0; ///< s, or the speedup.
};
/// projected / measured - 1.
double errorOf(const ErrorRow &row);

/// A variant of a plan that ran: explicit, streams, mapped, hybrid.
struct Variant {
  std::string name;
  TimedRun run;
};
/// A run on the host: host, one-thread, ...; a report of its own where it was made with other --threads.
struct HostVariant {
  std::string name;
  HostRun run;
  ProjectedProgram projected;
};

struct Comparison {
  std::vector<ErrorRow> rows;
  std::vector<std::string> notes; ///< What could not be compared, and why.
};

/// link: of the machine that the report is about; memory: what the ports copy from.
Comparison compare(const std::string &program, const ProjectedProgram &projected, const projection::Link &link,
                   projection::HostMemory memory, const std::vector<Variant> &variants,
                   const std::vector<HostVariant> &hosts);

/// One standard deviation of ln(projected / measured), as intervals take it; about 0.
struct Spread {
  double deviation = 0;
  size_t samples = 0;
};
/// Of the rows of a kind, over all programs and variants.
Spread spreadOf(const std::vector<ErrorRow> &rows, RowKind kind);

} // namespace busfare::bench

#endif
