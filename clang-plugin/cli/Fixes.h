//===- clang-plugin/cli/Fixes.h - Ports as fixes of a report -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// analyze --format sarif --fixes: what `busfare port` writes of a program with regions to
// port, as one change. It is one because the regions of a program share their data on the
// device: half of it is no port.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_FIXES_H
#define BUSFARE_CLANG_PLUGIN_CLI_FIXES_H

#include "RemarkOutput.h"

namespace busfare::frontend {

/// None unless they are asked for. The sources are read once more, all in this process. notes: what could not be
/// ported, and why.
llvm::Expected<std::vector<ProposedFix>> fixesOf(const Options &options, const projection::Report &report,
                                                 std::vector<std::string> &notes);

} // namespace busfare::frontend

#endif
