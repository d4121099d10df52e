//===- clang-plugin/units/LinkLines.h - What a build links ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Beside a compile_commands.json lies what the build makes of the objects: a build.ninja,
// or, of CMake with make, a link.txt for each target. Nothing is run to read them.
//
//   build app: C_EXECUTABLE_LINKER__app CMakeFiles/app.dir/main.c.o | libheat.a
//   cc -O2 CMakeFiles/app.dir/main.c.o -o app libheat.a -lm
//     ->  app: .../CMakeFiles/app.dir/main.c.o, .../libheat.a
//
// Without either, the archives (*.a) below the folder say at least which objects lie
// together: members are known by their names, and by their bytes where several objects
// have one name.
//
// Not handled: make's own Makefiles (what they run is known only when it is run), and
// variables of Ninja that a rule, not the file, sets.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_LINK_LINES_H
#define BUSFARE_CLANG_PLUGIN_UNITS_LINK_LINES_H

#include "Sources.h"
#include "skeleton/Resolve.h"

namespace busfare::frontend {

/// One step that makes a program, a library or an object of others. Files as fileKey spells them.
struct LinkLine {
  std::string output;
  std::vector<std::string> inputs; ///< In the linker's order.
};

struct LinkLines {
  std::vector<LinkLine> lines;
  std::string place; ///< For the user: build/build.ninja, or build/CMakeFiles. Empty: there are only archives.
};

/// One name for a file that need not be there: absolute, without dots and links to folders.
std::string fileKey(llvm::StringRef file, llvm::StringRef directory);

/// Of a build.ninja: the steps with an object or a library among what they are made of. readFile gives included files.
std::vector<LinkLine> ninjaLinkLines(llvm::StringRef text, llvm::StringRef directory,
                                     llvm::function_ref<std::optional<std::string>(llvm::StringRef)> readFile);

/// Of the command lines of a compiler that links or of an archiver, one each.
std::vector<LinkLine> commandLinkLines(llvm::StringRef text, llvm::StringRef directory);

/// Of the build in a folder, or where its compilers run. The objects: all that the database names.
std::shared_ptr<const LinkLines> linkLinesOf(llvm::StringRef folder, llvm::StringRef compiledIn,
                                             llvm::ArrayRef<std::string> objects);

/// What they say of the sources.
skeleton::LinkedBuild linkedBuildOf(llvm::ArrayRef<Source> sources);

/// "from the link lines of build/build.ninja (3)", for a sentence that begins with "Programs"; of programs that were
/// found so, by symbols if none was.
std::string programsNote(llvm::ArrayRef<Source> sources, const skeleton::LinkedBuild &build);

} // namespace busfare::frontend

#endif
