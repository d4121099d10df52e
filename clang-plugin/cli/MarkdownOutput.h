//===- clang-plugin/cli/MarkdownOutput.h - A proposal, with its drawings -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// --format markdown. A proposal (--details) that goes into a file has its drawings in a
// folder beside it, where they can be drawn:
//
//   -o proposal.md   proposal.md, proposal-plots/gemm.c-12-main-timeline.svg, ...
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_MARKDOWN_OUTPUT_H
#define BUSFARE_CLANG_PLUGIN_CLI_MARKDOWN_OUTPUT_H

#include "Options.h"
#include "projection/report/Report.h"
#include "llvm/Support/Error.h"

namespace busfare::frontend {

bool hasDrawingsBeside(const Options &options);

/// Errors: what keeps the drawings from being written.
llvm::Expected<std::string> markdownOf(const projection::Report &report, const Options &options);

} // namespace busfare::frontend

#endif
