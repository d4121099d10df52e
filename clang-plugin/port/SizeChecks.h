//===- clang-plugin/port/SizeChecks.h - At which sizes a port holds ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where a port has numbers for what has a name in the source, or takes for granted what
// sizes decide when the source is compiled, the compiler tests it:
//
//   _Static_assert(GRID > 2 && RK == 3, "busfare has planned the transfers for such sizes");
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_SIZECHECKS_H
#define BUSFARE_CLANG_PLUGIN_PORT_SIZECHECKS_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/Units.h"

namespace busfare::frontend::port {

/// What is to be tested.
struct SizeChecks {
  std::set<skeleton::Expr> facts; ///< Over settings, each at least 0.
  std::vector<std::map<std::string, int64_t>> numbers; ///< By unit: macros that the port has numbers for.
};

/// What the ported functions have met of the units' macros: those that are symbols are positive, all others what they
/// are. functions: by the program's names.
SizeChecks checksFor(llvm::ArrayRef<ProgramUnit> units, const std::set<std::string> &functions);

/// Adds the tests to the files: of numbers to those that have them, of facts to those that are changed and know all
/// names, or to one. Units of other programs stay as they are: what only those could test comes back, as text.
std::vector<std::string> addSizeChecks(const SizeChecks &checks, llvm::ArrayRef<ProgramUnit> units,
                                       std::vector<PortedFile> &files);

} // namespace busfare::frontend::port

#endif
