//===- projection/BuiltinMachines.h - The machine files that are built in -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text of machines/*.json; the build writes BuiltinMachines.cpp from them.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_BUILTINMACHINES_H
#define BUSFARE_PROJECTION_BUILTINMACHINES_H

#include "llvm/ADT/ArrayRef.h"

namespace busfare::projection {

struct BuiltinMachine {
  const char *name;
  const char *text;
};

llvm::ArrayRef<BuiltinMachine> builtinMachines();

} // namespace busfare::projection

#endif
