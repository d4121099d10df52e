//===- clang-plugin/walk/MadeBefore.h - Values that a loop finds ----*- C++ -*-===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A value that is made of nothing a loop defines is one value for all of its iterations:
//
//   for (i ...) a[k + 1][i]     k + 1 is made before the loop, i is not
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_MADE_BEFORE_H
#define BUSFARE_CLANG_PLUGIN_WALK_MADE_BEFORE_H

#include "State.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend {

/// mark: Frame::mark of the loop.
inline bool isMadeBefore(const State &st, const Symbolic &value, unsigned mark) {
  return !value.isPoisoned() && llvm::all_of(value.symbols(), [&](const std::string &symbol) {
    auto facts = st.symbols.find(symbol);
    return facts == st.symbols.end() || facts->second.serial <= mark;
  });
}

} // namespace busfare::frontend

#endif
