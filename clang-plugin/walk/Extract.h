//===- clang-plugin/walk/Extract.h - From C and C++ source to skeletons --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parses one translation unit with Clang and turns every function it defines
// into a skeleton (skeleton/Skeleton.h):
//
//   for (int i = 0; i < n; i++)            for i = 0 .. n - 1 {
//     y[i] += a * x[i];            =>        read a   read x[i]
//                                            ops fp64.fma 1
//                                            update + y[i]
//                                          }
//
// What the source does that a skeleton cannot say becomes a Finding in
// `program.findings`; what the compiler says becomes a Diagnostic. Nothing is
// printed. Functions of system headers are not read. clang-plugin/walk/README.md
// lists what is read and what is not.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_EXTRACT_H
#define BUSFARE_CLANG_PLUGIN_WALK_EXTRACT_H

#include "Points.h"
#include "skeleton/Resolve.h"
#include "skeleton/Skeleton.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTConsumer;
class ASTContext;
class CompilerInstance;
} // namespace clang
namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace busfare::frontend {

class Settings;

/// A message of the compiler about the source.
struct Diagnostic {
  skeleton::Level level = skeleton::Level::Error;
  skeleton::Location location;
  std::string message;
};

/// Among a unit's variables: that it runs something before or after main.
inline constexpr const char *outsideMainSymbol = "?outside main";

/// What is known of the other units of the program.
struct OtherUnits {
  std::string tag; ///< Of this unit: statics whose names leave it bear it. A name.
  llvm::json::Array interfaces; ///< Of functions and variables that others define (Interface.h).
  bool surveys = false; ///< Of a unit that uses what others may define, only what those need is wanted (isSurvey): it
                        ///< is walked when they have said theirs.
  bool wantsPoints = false; ///< For `inspect`, who ports the source: then each loop of it becomes one of the skeleton,
                            ///< and the unit is read once more with its settings as symbols.
};

/// A unit as one reads it who writes into its source.
struct UnitReadings {
  UnitPoints points;
  /// With what a build may set (lower/Settings.h) as symbols: all of it, then only what arrays are as large as; how
  /// often a loop turns decides more (which of two arrays that change places is which).
  struct OverSettings {
    skeleton::Program program;
    UnitPoints points;
  };
  std::vector<OverSettings> overSettings; ///< None: no macro is a number.
  const Settings *settings = nullptr; ///< What was met of them. It lives as the syntax does.
};

struct ExtractResult {
  skeleton::Program program;
  skeleton::UnitSymbols symbols; ///< All but the file.
  llvm::json::Array interfaces; ///< Of the external functions that it defines.
  llvm::json::Array variables; ///< Likewise, of the external variables that hold pointers.
  std::vector<Diagnostic>
      diagnostics; ///< In the order Clang gave them; warnings only if they are enabled by the flags.
  bool isSurvey = false; ///< No function was walked: symbols and variables are all there is (OtherUnits::surveys).
  /// Without -fopenmp: with it the unit might be another one, for it has a directive or asks for _OPENMP.
  bool asksForOpenMP = false;
  /// The unit was parsed without an error. If not, `program` still holds the functions that could be read.
  bool parsed = false;
};

/// Reads `file` with the arguments a compiler would get, the compiler's own name and the file name left out
/// (`{"-O2", "-Iinclude", "-DN=100"}`). Options Clang does not know are ignored. A file that cannot be opened
/// is a Diagnostic with level Error and parsed = false. Relative names are relative to `directory`, or to the
/// current directory if it is empty.
/// If `inspect` is given, it is called with the AST while that lives, if the unit was parsed without an error.
/// All files are read through `files`, an object of the heap; null: those of the disk.
using Inspect = std::function<void(clang::ASTContext &, const skeleton::Program &, const UnitReadings &)>;
ExtractResult extractUnit(llvm::StringRef file, llvm::ArrayRef<std::string> compilerArguments,
                          llvm::StringRef directory = "", const Inspect &inspect = {}, const OtherUnits &others = {},
                          llvm::vfs::FileSystem *files = nullptr);

/// The same beside a compiler that compiles the unit anyway (the plugin's door): `done` is called at the unit's end.
using UnitDone = std::function<void(clang::ASTContext &, ExtractResult)>;
std::unique_ptr<clang::ASTConsumer> unitConsumer(clang::CompilerInstance &compiler, const OtherUnits &others,
                                                 UnitDone done);

} // namespace busfare::frontend

#endif
