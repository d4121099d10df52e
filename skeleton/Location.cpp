//===- skeleton/Location.cpp - A place in the user's source ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `stencil.c:12:3`, `stencil.c:12`, `12:3` or `stencil.c`, by what is known.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Location.h"

std::string busfare::skeleton::toString(const Location &location) {
  std::string text = location.file;
  if (!location.isKnown())
    return text;
  text += (text.empty() ? "" : ":") + std::to_string(location.line);
  if (location.column != 0)
    text += ":" + std::to_string(location.column);
  return text;
}
