//===- projection/Papers.cpp - Published figures beside ours --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Papers.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace busfare::projection {

Closeness printed(int digits) { return {0, 0.5 * std::pow(10.0, -digits)}; }

std::optional<double> PaperRow::error() const {
  if (!ours) return std::nullopt;
  return published == 0 ? *ours : (*ours - published) / std::fabs(published);
}

bool PaperRow::holds() const {
  // Both ends belong to the interval, up to the rounding of a double.
  return ours && (orLess ? *ours - published : std::fabs(*ours - published)) <= allowed + 1e-12 * std::fabs(published);
}

void PaperTable::claim(std::string item, std::string unit, double published, std::optional<double> ours,
                       Closeness allowed) {
  rows.push_back({paper, std::move(item), std::move(unit), published, ours,
                  std::max(allowed.ofPublished * std::fabs(published), allowed.amount), allowed.orLess, true, ""});
}

void PaperTable::show(std::string item, std::string unit, double published, std::optional<double> ours,
                      std::string why) {
  rows.push_back({paper, std::move(item), std::move(unit), published, ours, 0, false, false, std::move(why)});
}

std::vector<PaperRow> paperRows() {
  std::vector<PaperRow> rows;
  for (PaperTable (*table)() : {grophecyRows, werkhovenRows, aheadRows, grovesRows, cocopeliaRows})
    llvm::append_range(rows, table().rows);
  return rows;
}

} // namespace busfare::projection
