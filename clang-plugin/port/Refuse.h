//===- clang-plugin/port/Refuse.h - What cannot be ported ------*- C++ -*-===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_REFUSE_H
#define BUSFARE_CLANG_PLUGIN_PORT_REFUSE_H

#include "llvm/Support/Error.h"

namespace busfare::frontend::port {

/// Why a kernel or a copy stays what it is in the source, as the report says it.
inline llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why.str());
}

} // namespace busfare::frontend::port

#endif
