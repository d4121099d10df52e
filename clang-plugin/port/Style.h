//===- clang-plugin/port/Style.h - Changes as the tree's own style has them -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tree with a .clang-format is one whose checks refuse lines of another shape, so the
// lines that a port changes are laid out as that file says, and no others:
//
//   ColumnLimit: 80     #pragma omp target update to(u[0 : n])
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_STYLE_H
#define BUSFARE_CLANG_PLUGIN_PORT_STYLE_H

#include "clang-plugin/port/Edits.h"

namespace busfare::frontend::port {

/// The same changes of the file's text, in the style that is found from its folder upwards. As they are, if there is
/// none, or if it cannot be read.
std::vector<Edit> inStyleOf(llvm::StringRef file, llvm::StringRef text, std::vector<Edit> edits);

} // namespace busfare::frontend::port

#endif
