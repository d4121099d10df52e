//===- projection/report/MissingFunctions.h - What is called and not there --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Functions of the program's own, not of a library that is installed, which no source that was given
// defines: a unit was left out. All that they do is missing in the report, and what calls them stays on the host.
//
//   assemble (4 calls), solve (1 call)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_MISSING_FUNCTIONS_H
#define BUSFARE_PROJECTION_REPORT_MISSING_FUNCTIONS_H

#include "projection/report/Report.h"

namespace busfare::projection {

/// Ends the finding on a call of such a function, behind its name, as the front end says it (walk/HostOnly.cpp).
inline constexpr llvm::StringLiteral givesSource = " is not seen; the call stays on the host: give the source that "
                                                   "defines it";

struct MissingFunction {
  std::string name;
  size_t calls = 0; ///< Places that call it.
};
/// Those with most calls first.
std::vector<MissingFunction> missingFunctions(const Report &report);

} // namespace busfare::projection

#endif
