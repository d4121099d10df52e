//===- projection/BuiltinPrograms.h - The papers' programs, built in ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text of papers/*.skel; the build writes BuiltinPrograms.cpp from them. @N@ and
// @ITERATIONS@ in it stand for sizes.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_BUILTINPROGRAMS_H
#define BUSFARE_PROJECTION_BUILTINPROGRAMS_H

#include "llvm/ADT/ArrayRef.h"

namespace busfare::projection {

struct BuiltinProgram {
  const char *name;
  const char *text;
};

llvm::ArrayRef<BuiltinProgram> builtinPrograms();

} // namespace busfare::projection

#endif
