//===- projection/ProjectParts.h - What all reports begin with -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shared by the whole report (Project.cpp) and by those that stop earlier (SectionLines.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_PROJECTPARTS_H
#define BUSFARE_PROJECTION_PROJECTPARTS_H

#include "projection/Profile.h"
#include "projection/Project.h"

namespace busfare::projection {

/// Effort for the questions of a whole unit. What is left after it gets the safe answers.
inline constexpr double secondsPerProgram = 30;

/// The root's sizes, with those of the profile in place of assumed ones. profile: may be null.
llvm::Expected<Sizes> sizesFor(const skeleton::Program &program, const Root &root, const ProjectOptions &options,
                               const MatchedProfile *profile);

/// Do the values that are no defaults leave none under which the shapes hold that the root's analysis assumed?
bool refutesAssumptions(const skeleton::Program &program, const Root &root, const ProjectOptions &options);

} // namespace busfare::projection

#endif
