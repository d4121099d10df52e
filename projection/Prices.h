//===- projection/Prices.h - A projection's answers at other settings -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fills a PriceTable: for each setting the sizes are bound as the command line would bind
// them, and the regions priced and settled by what the report itself was priced by. So a
// page that looks an answer up shows what the command prints:
//
//   sizes {as they are, n = 512, 1024, ..., all x 2, ...} x steps {..., 1, 10, 100} x runs {..., 1, 10, many}
//
// Settings that the program contradicts (--iterations beside a constant bound) are not there.
// Where all combinations would take too long, two things are varied at a time, or one; of
// hundreds of roots only sizes, at a few stops.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_PRICES_H
#define BUSFARE_PROJECTION_PRICES_H

#include "projection/Profile.h"
#include "projection/Project.h"
#include "projection/report/PriceTable.h"

namespace busfare::projection {

struct PriceQuestion {
  const skeleton::Program &program;
  const Root &root;
  const Sizes &sizes; ///< The report's.
  const ProjectOptions &options;
  const MatchedProfile *profile; ///< Null: none.
  llvm::ArrayRef<RegionReport> regions; ///< Of the root, in its order.
  std::vector<std::optional<double>> cpuTimes; ///< Of each, measured.
  size_t tables = 1; ///< That the limits are shared with.
};

std::shared_ptr<const PriceTable> pricesOf(const PriceQuestion &question);

/// The machine with a link of so many times the bandwidth; latencies stay.
Machine withLink(Machine machine, double factor);

} // namespace busfare::projection

#endif
