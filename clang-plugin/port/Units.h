//===- clang-plugin/port/Units.h - The units of a program, open ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A plan belongs to a linked program, text to its units. Linking gives some names anew
// (a static `helper` that two units have is `helper (step.c)` for one of them), so what
// the extraction noted of a unit's places is written in the program's names:
//
//   step.c, before `helper(u)`:  u = `u`      ->  the same, under `helper (step.c)`
//
// Nothing is said of globals that the unit declares in another shape than the program.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_UNITS_H
#define BUSFARE_CLANG_PLUGIN_PORT_UNITS_H

#include "clang-plugin/port/Port.h"
#include "clang-plugin/walk/Points.h"
#include "skeleton/Link.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
} // namespace clang
namespace busfare::frontend {
class Settings;
} // namespace busfare::frontend

namespace busfare::frontend::port {

struct ProgramUnit {
  std::string file; ///< As the command line names it.
  clang::ASTContext *context = nullptr;
  UnitPoints points;     ///< By the functions' names in the program.
  bool isShared = false; ///< Another program has it as well: it stays as it is.
  const Settings *settings = nullptr; ///< Its macros that are numbers; null: none are.
  std::set<std::string> symbols = {}; ///< Those that are symbols in what was read of it.
};

/// A program as its units say it.
struct ProgramReading {
  skeleton::Program skeletons;
  std::vector<ProgramUnit> units;
};

/// The points of a unit in the program's names.
UnitPoints inProgramNames(const skeleton::Program &unit, const UnitPoints &points, const skeleton::LinkedNames &names);

/// The program as linked from the units, or that of one. overSettings: what a build may set is a symbol there, more of
/// it in the first; none: no macro is a number. holdsForOthers: whether what one of them says is said of other values
/// of its settings, too (OtherSettings.h).
std::unique_ptr<OpenProgram> openProgram(ProgramReading plain, std::vector<ProgramReading> overSettings,
                                         std::function<bool(size_t which)> holdsForOthers);

/// Of the unit's main file.
llvm::StringRef textOf(const ProgramUnit &unit);

} // namespace busfare::frontend::port

#endif
