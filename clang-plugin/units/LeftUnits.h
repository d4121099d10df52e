//===- clang-plugin/units/LeftUnits.h - Units that a build has read already -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The compiler's plugin (Plugin.cpp) leaves what it has read of a unit: as OBJECT.skel
// beside the object, as a file in a folder, or in the section `.busfare` of the object,
// which archives and links keep. As a file it is skeleton text, which all commands read:
//
//   # busfare-unit
//   {"directory":"/src/build","file":"../heat.c","output":"heat.o","plugin":"6a..","words":["clang","-O2",...],...} #
//   busfare-asked {"s/src/heat.c":"f", ...} # busfare-read {"busfare_unit":1, ...} skeleton 1
//   ...
//
// The comments are what UnitText.h has besides; a unit that is read without them, by
// another version of busfare, is a skeleton like any other.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_LEFT_UNITS_H
#define BUSFARE_CLANG_PLUGIN_UNITS_LEFT_UNITS_H

#include "UnitText.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace busfare::frontend {

/// Statics whose names leave their unit bear the unit's name among others (UnitTask::tag), which the compiler does not
/// know.
inline constexpr const char *tagOfLeftUnits = "busfare_unit_tag";

struct LeftUnit {
  std::string file;      ///< As the compiler was given it.
  std::string directory; ///< Where it ran.
  std::vector<std::string> words; ///< Of the compiler's command line, its name first; empty: not known.
  std::string output;    ///< The object, as the compiler was told.
  std::string plugin;    ///< The build id of the plugin that read it.
  bool isPreprocessed =
      false; ///< What was compiled had been preprocessed before, perhaps elsewhere: the words are not the file's.
  bool lacksOpenMP = false;    ///< It has directives, and was compiled without them.
  FileAnswers asked;
  std::string text;      ///< As UnitText.h has it, without the first line; tags are tagOfLeftUnits.
};

std::string spelled(const LeftUnit &unit);
/// Nothing: it is not what a plugin leaves.
std::optional<LeftUnit> leftUnitIn(llvm::StringRef text);

/// The name of its file, in `folder` or, if that is empty, beside its output.
std::string leftFileOf(const LeftUnit &unit, llvm::StringRef folder);

/// The section, packed; several may stand one behind the other, as a linker puts them.
inline constexpr const char *leftSection = ".busfare";
std::string packed(const LeftUnit &unit);
std::vector<LeftUnit> unpacked(llvm::StringRef section);

/// Of a .skel file, an object, archive, library or program, or of all .skel files below a folder. Errors: it cannot be
/// read.
llvm::Expected<std::vector<LeftUnit>> leftUnitsOf(llvm::StringRef path);

/// The build id of the plugin that belongs to this program; empty if it is not beside it.
const std::string &ownPluginId();

} // namespace busfare::frontend

#endif
