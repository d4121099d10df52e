//===- projection/SuggestNext.h - The commands to run next ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a report ends with: a command for the first size that was assumed, for the host's time where it decides, for the kernel that
// takes longest. Inputs and flags are completed by who read them (clang-plugin/NextCommands.h).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_SUGGESTNEXT_H
#define BUSFARE_PROJECTION_SUGGESTNEXT_H

#include "projection/Project.h"

namespace busfare::projection {

/// Fills the report's nextCommands, five at most.
void suggestNext(Report &report, const ProjectOptions &options);

} // namespace busfare::projection

#endif
