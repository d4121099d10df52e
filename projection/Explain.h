//===- projection/Explain.h - Why one loop nest costs what it costs --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Projects the program as `project` does, and takes the figures of the nests at one line
// apart (report/Explanation.h): the models hand out the terms that they add up.
//
// A nest holds the line if the line lies between its loop's keyword and the last thing its
// skeleton keeps, in its own function or in one that it calls. Kernels come first; a line in
// none of them belongs to the innermost loop around it, which stays on the host.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_EXPLAIN_H
#define BUSFARE_PROJECTION_EXPLAIN_H

#include "projection/Project.h"
#include "projection/report/Explanation.h"

namespace busfare::projection {

struct ExplainedPlace {
  std::string file; ///< As sources are named, or the end of such a path.
  unsigned line = 0;
};

/// An explanation without nests names the nearest. Errors: those of project.
llvm::Expected<Explanation> explain(const skeleton::Program &program, const ProjectOptions &options,
                                    const ExplainedPlace &place);

/// Of several programs as one: the nests of all of them, or the nearest of all of them.
Explanation joinExplanations(std::vector<Explanation> explanations);

} // namespace busfare::projection

#endif
