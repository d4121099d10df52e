//===- projection/report/MissingFunctions.h - What is called and not there --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Functions of the program's own, not of a library that is installed, which no source that was read
// defines: a unit was left out. All that they do is missing in the report, and what calls them stays on the host.
//
//   assemble (4 calls), solve (1 call)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_MISSING_FUNCTIONS_H
#define BUSFARE_PROJECTION_REPORT_MISSING_FUNCTIONS_H

#include "projection/report/Report.h"

namespace busfare::projection {

struct MissingFunction {
  std::string name;
  size_t calls = 0; ///< Places that call it.
};
/// Those with most calls first.
std::vector<MissingFunction> missingFunctions(const Report &report);

} // namespace busfare::projection

#endif
