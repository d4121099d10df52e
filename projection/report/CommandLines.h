//===- projection/report/CommandLines.h - The next commands, to be copied ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A command is not wrapped: it is there to be copied. Many sources are said once for all of
// them, as the arguments of a shell, which any shell but fish takes:
//
//   set -- main.c advec_cell_kernel.c advec_mom_kernel.c
//   busfare loops "$@" -- -I.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_COMMANDLINES_H
#define BUSFARE_PROJECTION_REPORT_COMMANDLINES_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace busfare::projection {

/// The lines, without an end each. sources: that all commands are given, one behind the other, as words of a shell.
std::vector<std::string> commandLines(llvm::ArrayRef<std::string> commands, llvm::ArrayRef<std::string> sources);

} // namespace busfare::projection

#endif
