//===- clang-plugin/units/Leaving.h - A unit read while it is compiled ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Beside a compiler, which waits while the unit is read (Extract.h). Reading writes into the AST.
// So the compiler's is read when its object is made; a section of the object has to be there
// before, and is what a copy of this process reads. The copy costs two to three times as much:
// each page that it or the compiler writes from then on has to be copied. What is left is a
// LeftUnit, beside the object, in a folder, or as assembly of a section in the object.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_LEAVING_H
#define BUSFARE_CLANG_PLUGIN_UNITS_LEAVING_H

#include <memory>
#include <string>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace busfare::frontend {

struct LeaveOptions {
  std::string folder; ///< Empty: beside the object.
  bool embeds = false;
  double seconds = 120; ///< For reading a unit.
};

enum class Reading {
  ByCopy,  ///< By a copy of the process, before code is made.
  InPlace, ///< By this process, behind whom the AST is for.
};

/// Is it a unit of C or C++ of its own that becomes an object? Others are read when somebody asks: a unit with a
/// precompiled header or modules has half of what it says elsewhere.
bool isForLeaving(const clang::CompilerInstance &compiler);

/// Of a unit that becomes an object and is left alone, so and why: "nothing is left of a.c: it is ...". Empty of all
/// others.
std::string whyNotLeft(const clang::CompilerInstance &compiler);

std::unique_ptr<clang::ASTConsumer> leavingConsumer(clang::CompilerInstance &compiler, const LeaveOptions &options,
                                                    Reading reading);

} // namespace busfare::frontend

#endif
