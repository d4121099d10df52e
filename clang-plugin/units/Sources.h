//===- clang-plugin/units/Sources.h - Which units, and how they are compiled -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From the command line's inputs to units and their flags: the words behind `--`,
// or the entries of a compile_commands.json. An input that ends in .skel is skeleton
// text.
//
//   analyze a.c src -- -O2      ->  a.c and every C and C++ source below src, each {-O2}
//   analyze -p build            ->  every unit of build/compile_commands.json, each with its own words
//   analyze -p build src 'io_*' ->  those below src, and those whose path matches *io_*
//
// Below a folder, sources are taken in the order of their paths. Left out are hidden
// files and folders, folders of a build (CMakeFiles; those that hold a CMakeCache.txt
// or a build.ninja) and links to folders. Headers are read through the units that include them.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_SOURCES_H
#define BUSFARE_CLANG_PLUGIN_UNITS_SOURCES_H

#include "Inputs.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace busfare::frontend {

struct LeftUnit;
struct LinkLines;

/// One input and how it is compiled.
struct Source {
  std::string file;
  std::vector<std::string> arguments;
  std::string directory; ///< Empty: the current one.
  bool isSkeleton = false;
  /// Below this folder of the command line, without flags of its own: headers that are missing may be looked for there.
  std::string root;
  std::string note; ///< For the user; empty if there is nothing to say.
  /// Of the build's flags, what Clang does not take, and what it takes otherwise (ClangWords).
  std::vector<std::string> leftOut = {};
  std::vector<std::pair<std::string, std::string>> translated = {};
  std::shared_ptr<const LeftUnit> left = nullptr; ///< What the build that compiled it has read; null: nothing.
  std::vector<std::string> objects =
      {}; ///< That a build makes of it, as LinkLines.h spells files; several if several targets have it.
  std::shared_ptr<const LinkLines> links =
      nullptr; ///< What its build links; the same for all units of a database. Null: not known.
};

/// Every input is there, is a text file, a folder with sources, or a filter of the database. Errors name it.
llvm::Expected<std::vector<Source>> sourcesOf(const Inputs &options);

/// One sentence for all units on flags that were left out or translated; empty if none were.
std::string flagsNote(llvm::ArrayRef<Source> sources);

/// The contents, if file names a text file.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openText(llvm::StringRef file);

enum class Language { C, Cxx, Header, Skeleton, Cuda, Fortran, Unknown };
Language languageOf(llvm::StringRef file); ///< By its suffix.

/// The file's one name, without links, as seen from the directory.
std::string realName(llvm::StringRef file, llvm::StringRef directory = "");

/// Calls visit on every file below the folder but those that are left out (see above), in the order of their paths.
void forEachFileBelow(llvm::StringRef folder, llvm::function_ref<void(llvm::StringRef)> visit);

} // namespace busfare::frontend

#endif
