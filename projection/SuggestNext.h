//===- projection/SuggestNext.h - The commands to run next ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a report ends with, about the region that comes first in it (report/Ranking.h): another value for a size that
// was assumed, the host's time where it decides, its hottest loop taken apart, the port. Inputs and flags are completed
// by who read them (clang-plugin/cli/NextCommands.h).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_SUGGESTNEXT_H
#define BUSFARE_PROJECTION_SUGGESTNEXT_H

#include "projection/Project.h"

namespace busfare::projection {

/// Sets the report's nextCommands, five at most; of several programs joined, anew.
void suggestNext(Report &report, const ProjectOptions &options);

} // namespace busfare::projection

#endif
