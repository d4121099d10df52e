//===- clang-plugin/units/UnitText.h - What reading a unit gave, as text -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a process that reads a unit hands back, a cache keeps, and a compiler leaves beside
// an object:
//
//   {"s/src/axpy.c":"f", ...}                            what was asked of the disk (FilesRead.h)
//   {"busfare_unit":1,"parsed":true,"survey":false,"asks_for_openmp":false,"left_out":[],"errors":[],
//    "loops":[["axpy.c",3,3]],"symbols":{...},"interfaces":[...],"variables":[...]}
//   skeleton 1
//   unit "axpy.c"
//   ...
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_UNIT_TEXT_H
#define BUSFARE_CLANG_PLUGIN_UNITS_UNIT_TEXT_H

#include "FilesRead.h"
#include "clang-plugin/walk/Extract.h"
#include <map>
#include <optional>

namespace busfare::frontend {

/// What came back of one unit.
struct UnitText {
  bool parsed = false;
  bool isSurvey = false, asksForOpenMP = false; ///< As ExtractResult's.
  skeleton::UnitSymbols symbols;
  std::map<std::string, std::string> interfaces; ///< Of functions, by symbol, as JSON.
  std::map<std::string, std::string> variables;  ///< Likewise, of variables.
  std::string skeleton; ///< Text.
  std::vector<Diagnostic> errors;
  /// Functions whose skeleton is not well formed, with what is wrong: left out, so that calls of them are opaque.
  std::vector<std::pair<std::string, std::string>> leftOut;
  std::vector<skeleton::Location> loops; ///< That the source has, read or not (SourceLoops.h).
  std::string given; ///< UnitTask::interfaces with which it was read.
  std::string lost; ///< Why nothing came back: a crash, a limit. Empty if something did.
};

/// A text as above, or why there is none.
struct UnitAnswer {
  std::string text, lost;
};

/// The text. loops: of the source (SourceLoops.h).
std::string textOf(ExtractResult unit, llvm::ArrayRef<skeleton::Location> loops, const FileAnswers &asked);

UnitText unitOf(const UnitAnswer &answer);
/// What was asked of the disk; the answer's text has it no more. Nothing: it is no such text.
std::optional<FileAnswers> takeFiles(UnitAnswer &answer);

} // namespace busfare::frontend

#endif
