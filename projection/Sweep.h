//===- projection/Sweep.h - Projections over ranges -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A table with a row for each combination of the values of its axes and of the
// machines, the last axis running fastest:
//
//   n = 1024:4096:x2, iterations = 1:100:+99 on one machine: 3 * 2 rows
//     n     iterations  cpu_s  kernel_s  h2d_s  d2h_s  total_s  speedup
//     1024  1           ...
//
// Of a program (SweepProgram.cpp) the analysis is done once. Its formulas are priced at
// each combination of sizes; in the iterations of the time loop costs are lines, so that
// only the counts where they bend are priced. Of more sizes than can be priced in time, a
// grid is priced and the rest interpolated between. Some of what is not priced is held
// against its price, and how far off it is at most is said.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_SWEEP_H
#define BUSFARE_PROJECTION_SWEEP_H

#include "projection/Blas.h"
#include "projection/Messages.h"
#include "projection/Overlap.h"
#include "projection/Project.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>

namespace busfare::projection {

struct SweepAxis {
  std::string name;
  std::vector<double> values; ///< In their order; not empty.
};

/// More rows are refused: nobody reads them, and they are kept in memory.
inline constexpr double mostRows = 2e7;

/// 4096, 1e-3, 64Ki, 1MiB (powers of 1024), 64K, 1 MB (of 1000); nothing if it is no number.
std::optional<double> numberIn(llvm::StringRef text);

/// `n=1024:1Mi:x2` (powers), `n=100:1000:+100` (steps), `n=1:10` (by 1 up to 64 of them, else by powers of 2),
/// `n=1,5,7`. The upper end belongs to the range. Errors: `--range n=5:1: expected ...`.
llvm::Expected<SweepAxis> parseAxis(llvm::StringRef text);

struct SweepColumn {
  std::string name; ///< With its unit: "total_s".
  bool isText = false; ///< Cells index SweepTable::texts.
};

struct SweepTable {
  std::vector<SweepColumn> columns;
  std::vector<std::string> texts;
  std::vector<double> cells; ///< Row by row; a NaN is not known.
  std::string plotted;       ///< The column that a plot shows.
  size_t machineColumn = 0;
  std::vector<std::string> notes;
  size_t rows() const { return columns.empty() ? 0 : cells.size() / columns.size(); }
  size_t column(llvm::StringRef name) const; ///< columns.size() if there is none.
};

/// Values for one row: in the order of the axes, in; in the order of the columns behind them, out.
using SweepFunction =
    std::function<void(const Machine &machine, llvm::ArrayRef<double> values, llvm::MutableArrayRef<double> results)>;
/// Errors: too many rows.
llvm::Expected<SweepTable> sweepFunction(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                         llvm::ArrayRef<std::string> results, const SweepFunction &function);

/// Axes bytes. Columns: the models of Link.h, and what projections use.
llvm::Expected<SweepTable> sweepTransfer(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                         Direction direction, HostMemory memory);
/// Axes h2d, d2h, kernel, streams; what no axis gives is fixed. Without an axis streams it is the best number up to
/// most.
llvm::Expected<SweepTable> sweepOverlap(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                        const OverlapQuestion &fixed, double most);
/// Axes m, n, k, tile; an axis size stands for all of m, n and k. A tile too large for the dimensions has no times.
llvm::Expected<SweepTable> sweepBlas(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                     llvm::StringRef routine, llvm::ArrayRef<std::string> onDevice, double beta);
/// Axes bytes, comm-share, launch, compute-speedup. Every machine needs a network. The speedups are of ports whose
/// messages are this operation; speedup_pipelined has no values where the machine has no law for it.
llvm::Expected<SweepTable> sweepMessages(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                         PutOrGet operation = PutOrGet::Put,
                                         PipelinedUnit unit = PipelinedUnit::PerByte);
/// No success: one of the machines has no network.
llvm::Error needNetworks(llvm::ArrayRef<Machine> machines);

/// Which axis has which of the known names, axes.size() for those that are not there. Errors: an axis of another name,
/// or one that is given twice.
llvm::Expected<std::vector<size_t>> placesOf(llvm::ArrayRef<SweepAxis> axes, llvm::ArrayRef<llvm::StringRef> known,
                                             llvm::StringRef what);

/// Axes: sizes of the program, by their names, and iterations. Every region has rows of its own.
llvm::Expected<SweepTable> sweepProgram(const skeleton::Program &program, const ProjectOptions &options,
                                        llvm::ArrayRef<SweepAxis> axes);

} // namespace busfare::projection

#endif
